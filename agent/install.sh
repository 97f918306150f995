#!/bin/sh
# Installs the Hopperdeck agent:
#   curl -fsSL https://hopperdeck.example/agent/install.sh | sudo sh -s -- --url https://hopperdeck.example --token TOKEN
# Run again to change address or token; `--update` alone keeps both and takes the newest agent. `--uninstall` removes
# everything it wrote.
# Options: --url URL, --token TOKEN or --token-file FILE, --interval SECONDS (10), --update, --uninstall.
# HOPPERDECK_ROOT puts everything below another folder (image builds, tests).

set -u

# All in functions, called by the last line, so that a download cut short does nothing.

say() {
  printf '%s\n' "$*"
}

die() {
  printf 'hopperdeck-agent: %s\n' "$*" >&2
  exit 1
}

value_of() {
  if [ $# -lt 2 ] || [ -z "$2" ]; then die "$1 needs a value"; fi
}

has_systemd() {
  command -v systemctl >/dev/null 2>&1 && [ -d "$root/run/systemd/system" ]
}

uninstall() {
  if has_systemd; then systemctl disable --now hopperdeck-agent.service >/dev/null 2>&1; fi
  rm -rf "$bin" "$unit" "$unit.d" "$etc/agent.conf" "$etc/token" \
    "$root/var/lib/hopperdeck-agent" "$root/var/lib/private/hopperdeck-agent"
  rmdir "$etc" 2>/dev/null
  if has_systemd; then systemctl daemon-reload; fi
  say "The Hopperdeck agent is removed."
}

# fetch NAME TARGET MODE: downloads a file and puts it in place in one step.
fetch() {
  mkdir -p "$(dirname "$2")" || die "cannot write to $(dirname "$2")"
  curl -q -fsS --proto '=http,https' --max-time 60 --retry 3 -o "$2.new" "$url/agent/$1" ||
    die "cannot download $url/agent/$1: is the address right, and can this machine reach it?"
  # A login page or a proxy's error would come with 200 as well.
  case $(head -n 1 "$2.new") in
    '#!/bin/sh' | '[Unit]') ;;
    *)
      rm -f "$2.new"
      die "$url/agent/$1 is not the agent: does something stand before the dashboard?"
      ;;
  esac
  place "$2" "$3"
}

# place TARGET MODE: the file that was written beside it takes its place.
place() {
  if ! chmod "$2" "$1.new" || ! mv "$1.new" "$1"; then die "cannot write $1"; fi
}

write_config() {
  mkdir -p "$etc" || die "cannot write to $etc"
  (
    umask 077
    printf '%s\n' "$token" >"$etc/token.new"
  )
  place "$etc/token" 0600
  {
    printf 'URL=%s\nINTERVAL=%s\n' "$url" "$interval"
    # What was added by hand stays.
    grep -v -e '^URL=' -e '^INTERVAL=' "$etc/agent.conf" 2>/dev/null
  } >"$etc/agent.conf.new"
  place "$etc/agent.conf" 0644
}

# systemd before 247 has no credentials: there the agent runs as root, which may read the token.
fit_unit() {
  version=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
  rm -rf "$unit.d"
  if [ "${version:-247}" -lt 247 ]; then
    mkdir -p "$unit.d"
    printf '[Service]\nDynamicUser=no\n' >"$unit.d/old-systemd.conf"
  fi
  if [ -r "$root/etc/group" ] && ! grep -q '^systemd-journal:' "$root/etc/group"; then
    mkdir -p "$unit.d"
    printf '[Service]\nSupplementaryGroups=\n' >"$unit.d/no-journal-group.conf"
  fi
}

# conf KEY: its value in the configuration that is there.
conf() {
  sed -n "s/^$1=//p" "$etc/agent.conf" 2>/dev/null | head -n 1
}

# What was not given anew stays as it was installed.
keep_installed() {
  if [ ! -r "$etc/agent.conf" ] || [ ! -r "$etc/token" ]; then
    die "there is no agent here to update: install it with --url and --token"
  fi
  [ -n "$url" ] || url=$(conf URL)
  [ -n "$token" ] || read -r token <"$etc/token"
  [ -n "$interval" ] || interval=$(conf INTERVAL)
}

# One beat with a spool of its own: does nvidia-smi answer, does the dashboard take it?
first_report() {
  spool=$(mktemp -d) || return
  if HOPPERDECK_ONCE=1 HOPPERDECK_CONFIG=$etc/agent.conf HOPPERDECK_TOKEN_FILE=$etc/token HOPPERDECK_SPOOL=$spool \
    HOPPERDECK_URL='' HOPPERDECK_INTERVAL='' sh "$bin"; then
    say "A first report has arrived at $url."
  else
    say "Installed, but the first report has not arrived (see above). The agent keeps trying."
  fi
  rm -rf "$spool"
}

main() {
  url=
  token=
  interval=
  updating=
  uninstalling=
  while [ $# -gt 0 ]; do
    case $1 in
      --url) value_of "$@" && url=$2 && shift ;;
      --token) value_of "$@" && token=$2 && shift ;;
      --token-file)
        value_of "$@"
        read -r token <"$2" || die "cannot read $2"
        shift
        ;;
      --interval) value_of "$@" && interval=$2 && shift ;;
      --update) updating=1 ;;
      --uninstall) uninstalling=1 ;;
      *) die "unknown option $1; known are --url, --token, --token-file, --interval, --update and --uninstall" ;;
    esac
    shift
  done

  root=${HOPPERDECK_ROOT:-}
  root=${root%/}
  etc=$root/etc/hopperdeck
  bin=$root/usr/local/bin/hopperdeck-agent
  unit=$root/etc/systemd/system/hopperdeck-agent.service

  [ -n "$root" ] || [ "$(id -u)" = 0 ] || die "this needs root: put sudo before sh"
  if [ -n "$uninstalling" ]; then
    uninstall
    return
  fi

  [ -z "$updating" ] || keep_installed
  interval=${interval:-10}
  while [ "${url%/}" != "$url" ]; do url=${url%/}; done
  case $url in
    http://?* | https://?*) ;;
    *) die "--url must be the address of the dashboard, such as https://hopperdeck.example" ;;
  esac
  case $url in
    *[!]A-Za-z0-9._~:/%@[-]*) die "--url has a character that an address cannot have" ;;
  esac
  case $token in
    '') die "--token is missing: make an ingest token in the dashboard's settings" ;;
    *[!A-Za-z0-9._~+/=-]*) die "--token has a character that a token cannot have" ;;
  esac
  case $interval in
    '' | *[!0-9]* | 0*) die "--interval must be a number of seconds" ;;
  esac

  command -v curl >/dev/null 2>&1 || die "curl is missing: install it (apt-get install curl) and run this again"
  command -v nvidia-smi >/dev/null 2>&1 ||
    say "Note: nvidia-smi is not here yet. The agent reports that, and the GPUs as soon as the driver is installed."

  fetch hopperdeck-agent "$bin" 0755
  write_config
  if has_systemd; then
    fetch hopperdeck-agent.service "$unit" 0644
    fit_unit
    if ! systemctl daemon-reload || ! systemctl enable hopperdeck-agent.service >/dev/null 2>&1 ||
      ! systemctl restart hopperdeck-agent.service; then
      die "systemd does not start it: see systemctl status hopperdeck-agent"
    fi
    first_report
    say "The Hopperdeck agent runs. Its log: journalctl -u hopperdeck-agent"
  else
    first_report
    say "There is no systemd here. Start the agent with the machine, as root:"
    say "  nohup $bin >/var/log/hopperdeck-agent.log 2>&1 &"
  fi
}

main "$@"
