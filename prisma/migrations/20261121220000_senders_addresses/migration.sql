-- Which machine a sender is: asked by host name or private address of what is there now.
CREATE INDEX resource_span_hostname_now ON resource_span (hostname) WHERE valid_to IS NULL;
CREATE INDEX resource_span_private_ip_now ON resource_span (private_ip) WHERE valid_to IS NULL;
