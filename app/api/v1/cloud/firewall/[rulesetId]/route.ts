import { FirewallChange } from "@/lib/domain/cloud/firewall";
import { changeFirewall } from "@/lib/services/cloud/firewall";
import { post } from "@/lib/web/route";

export const POST = post(FirewallChange, changeFirewall);
