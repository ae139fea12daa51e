set -u
umask 077
LC_ALL=C
PATH=$PATH:${ADVISOR_PATH:-/usr/local/sbin:/usr/sbin:/sbin:/opt/rocm/bin} # {{c-path}}
COPYFILE_DISABLE=1
export LC_ALL PATH COPYFILE_DISABLE

mark=advisor-archive-follows
root=${ADVISOR_ROOT:-} # {{c-root}}
infiniband=$root/sys/class/infiniband
turn=0
input=/dev/null
most=131072 # {{c-most}}
optional=no
log=
target=

# ---- {{c-limits}}

# {{c-below}}
below() {
  for child in $(children "$1"); do
    below "$child"
  done
  echo "$1"
}

children() {
  if [ -r /proc/self/status ]; then
    grep -ls "^PPid:[^0-9]*$1\$" /proc/[0-9]*/status | cut -d / -f 3
  else
    ps -A -o pid= -o ppid= | while read -r pid parent; do
      [ "$parent" != "$1" ] || echo "$pid"
    done
  fi
}

end_them() {
  signal=$1
  shift
  for pid in "$@"; do
    kill -s "$signal" "$pid" 2>/dev/null
  done
}

# {{c-timeout}}
has_timeout=no
if timeout -k 1 5 true >/dev/null 2>&1; then
  has_timeout=yes
fi

# {{c-limited}}
limited() {
  limit=$1
  shift
  turn=$((turn + 1))
  out=$work/$turn.out
  err=$work/$turn.err
  end=$work/$turn.end
  code=125
  mkfifo "$end" || return 125
  exec 8<>"$end" # {{c-pipe}}
  (
    exec 8>&-
    ulimit -f "$most" 2>/dev/null
    if [ "$has_timeout" = yes ]; then
      timeout -k 2 "$limit" "$@"
    else
      "$@"
    fi <"$input" >"$out" 2>"$err"
    ended=$?
    [ ! -p "$end" ] || echo "$ended" >"$end"
  ) &
  task=$!
  watch "$task" "$end" "$limit" </dev/null >/dev/null 2>&1 8>&- &
  dog=$!
  until read -r code <&8; do
    : # {{c-again}}
  done
  exec 8>&-
  rm -f "$end"
  if [ -e "$end.stopped" ]; then
    wait "$dog"
    code=124
  else
    wait "$task" 2>/dev/null
  fi
  [ "$code" != 137 ] || code=124
  return "$code"
}

# {{c-dog}}
watch() {
  left=$3
  [ "$has_timeout" = no ] || left=$((left + 4))
  while [ -p "$2" ]; do
    if [ "$left" -le 0 ]; then
      : >"$2.stopped"
      family=$(below "$1")
      brood=$(echo "$family" | sed '$d')
      # shellcheck disable=SC2086 # {{c-words}}
      end_them TERM $brood
      grace=2
      while [ "$grace" -gt 0 ] && [ "$(below "$1")" != "$1" ]; do
        sleep 1
        grace=$((grace - 1))
      done
      # shellcheck disable=SC2086
      end_them KILL $family
      [ ! -p "$2" ] || echo 124 >"$2"
      return 0
    fi
    sleep 1
    left=$((left - 1))
  done
}

# ---- {{c-secrets}}

veil() {
  sed -E \
    -e '/-----BEGIN [A-Z ]*PRIVATE KEY-----/,/-----END [A-Z ]*PRIVATE KEY-----/d' \
    -e 's/([Pp][Aa][Ss][Ss][Ww][Oo]?[Rr]?[Dd]|[Tt][Oo][Kk][Ee][Nn]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Aa][Pp][Ii][_-]?[Kk][Ee][Yy]|[Aa][Cc][Cc][Ee][Ss][Ss][_-]?[Kk][Ee][Yy]|[Cc][Rr][Ee][Dd][Ee][Nn][Tt][Ii][Aa][Ll]s?)([A-Za-z0-9_-]*"?[[:space:]]*[=:][[:space:]]*)[^[:space:]]+/\1\2.../g' \
    -e 's/([Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]: *).*/\1.../' \
    -e 's/([Bb][Ee][Aa][Rr][Ee][Rr]) +[A-Za-z0-9+\/=_.-]{12,}/\1 .../g' \
    -e 's#(://)[^/@[:space:]]+@#\1...@#g' \
    -e 's/eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]+/.../g' \
    -e 's/(^|[^A-Za-z0-9])(AKIA|ghp_|gho_|glpat-|hf_|sk-|xox[abpr]-)[A-Za-z0-9_-]{12,}/\1.../g'
}

# ---- {{c-takes}}

stamp() {
  date -u +%Y%m%dT%H%M%SZ
}

now() {
  date +%s
}

# {{c-own-name}}
own_name() {
  own=$(uname -n | tr -cd 'A-Za-z0-9._-')
  own=${own%%.*}
  case $own in
    "" | localhost | [!A-Za-z0-9]*) own=$1 ;;
  esac
  echo "$own"
}

start_machine() {
  host=$1
  user=$2
  log_name=00-collect-$3.txt
  is_switch=${4:-no}
  folder=
  log=
}

# {{c-folder}}
open_folder() {
  moment=$(now)
  [ -n "$folder" ] && [ $((moment - folder_moment)) -le "$1" ] && return 0
  folder_moment=$moment
  folder=$stage/$host/$(stamp)
  mkdir -p "$folder"
  if [ -z "$log" ]; then
    log=$folder/$log_name
    printf 'Fabric Advisor collection log, form 1\nhost: %s\n' "$host" >"$log"
  fi
}

# {{c-log}}
note() {
  said=$(printf '%s' "$4" | tr '\t\n' '  ' | tr -cd '\40-\176' | cut -c 1-200 | veil)
  printf '%s\t%s\t%s\t%s s\t%s\n' "$(stamp)" "$1" "$2" "$3" "$said" >>"$log"
}

has() {
  command -v "$1" >/dev/null 2>&1 && return 0
  if [ "$take" = 1 ]; then
    open_folder 86400
    note missing "$2" 0 "$1"
  fi
  return 1
}

readable() {
  [ -r "$1" ] && return 0
  if [ "$take" = 1 ]; then
    open_folder 86400
    note missing "$2" 0 "$1"
  fi
  return 1
}

# {{c-probe}}
probe() {
  label=$1-$(printf '%s' "$2" | tr -c 'A-Za-z0-9._-' '-')
  limit_s=$3
  shown=$4
  shift 4
  open_folder "$steadiness"
  if [ "$(($(now) + limit_s))" -gt "$deadline" ]; then
    note left-out "$label" 0 "no time left"
    return 0
  fi
  [ "$steadiness" != 1 ] || counted=yes
  began=$(now)
  prompt="[$(date -u +%Y-%m-%dT%H:%M:%SZ)] $user@$host:~# $shown"
  limited "$limit_s" "$@"
  took=$(($(now) - began))
  first=$(sed -n '/[^[:space:]]/{p;q;}' "$err")
  if [ "$code" = 0 ]; then
    outcome='done'
    [ -s "$out" ] || first="no output $first"
  elif [ "$code" = 124 ]; then
    outcome=stopped
  else
    outcome=failed
    first="exit code $code $first"
  fi
  note "$outcome" "$label" "$took" "$first"
  if [ "$is_switch" = yes ] && [ "$code" = 255 ]; then
    deadline=0 # {{c-switch-gone}}
    rm -f "$out" "$err"
    return 0
  fi
  if [ ! -s "$out" ] && [ "$code" != 124 ] && { [ "$optional" = yes ] || [ ! -s "$err" ]; }; then
    rm -f "$out" "$err"
    return 0
  fi
  {
    printf '%s\n' "$prompt"
    case $code in
      0)
        if [ -s "$out" ]; then
          cat "$out"
        else
          cat "$err"
        fi
        ;;
      124)
        whole_lines "$out"
        echo "Error: stopped after $limit_s s"
        ;;
      *)
        cat "$out" "$err"
        [ -s "$out" ] || echo "Error: exit code $code"
        ;;
    esac
  } | veil >"$folder/$label.txt"
  rm -f "$out" "$err"
}

# {{c-whole-lines}}
whole_lines() {
  if [ -n "$(tail -c 1 "$1")" ]; then
    sed '$d' "$1"
  else
    cat "$1"
  fi
}

# ---- {{c-things}}

# {{c-safe}}
safe() {
  case $1 in
    "" | [!A-Za-z0-9]* | *[!A-Za-z0-9._:@+-]*) return 1 ;;
  esac
}

eths() {
  for path in "$root"/sys/class/net/*; do
    safe "${path##*/}" || continue
    [ -e "$path/device" ] || continue
    [ ! -e "$path/device/physfn" ] || continue
    kind=1
    [ ! -r "$path/type" ] || read -r kind <"$path/type"
    [ "$kind" != 1 ] || echo "${path##*/}"
  done
}

roces() {
  for thing in $(eths); do
    [ ! -d "$root/sys/class/net/$thing/device/infiniband" ] || echo "$thing"
  done
}

bonds() {
  for path in "$root"/proc/net/bonding/*; do
    [ -r "$path" ] && safe "${path##*/}" && echo "${path##*/}"
  done
}

rdmas() {
  for path in "$infiniband"/*; do
    [ -d "$path" ] && safe "${path##*/}" && [ ! -e "$path/device/physfn" ] && echo "${path##*/}"
  done
}

ports() {
  for device in $(rdmas); do
    for path in "$infiniband/$device/ports"/*; do
      [ -d "$path" ] && safe "${path##*/}" && echo "$device/${path##*/}"
    done
  done
}

# ---- {{c-probes}}

@@COUNTERS@@

@@STATIC@@

# {{c-collect}}
collect() {
  if [ "$1" = once ] && [ -z "$(rdmas)" ]; then
    return 0 # {{c-no-fabric}}
  fi
  take=1
  counted=no
  deadline=$(($(now) + host_limit))
  folder=
  steadiness=1
  counters "$1"
  ended_at=$(now)
  steadiness=86400
  static "$1"
  [ "$counted" = yes ] || return 0
  left=$((ended_at + gap - $(now)))
  if [ "$left" -gt 0 ]; then
    sleep "$left" &
    wait $!
  fi
  take=2
  folder=
  steadiness=1
  counters "$1"
}

# {{c-pack}}
pack() {
  (
    cd "$stage" || exit 1
    set -- */*/*.txt
    [ -e "$1" ] || exit 1
    if command -v gzip >/dev/null 2>&1; then
      tar -cf - "$@" | gzip -c
    else
      tar -cf - "$@"
    fi
  )
}

open_work() {
  work=${TMPDIR:-/tmp}/advisor-collect.$$
  if ! mkdir "$work"; then
    printf {{no-room}}'\n' "$work" >&2
    exit 1
  fi
  stage=$work/stage
  mkdir "$stage"
  trap 'leave 130' INT
  trap 'leave 143' TERM HUP
  trap 'rm -rf "$work"' EXIT
}

# shellcheck disable=SC2317 # {{c-trap}}
leave() {
  trap - INT TERM HUP EXIT
  family=$(below $$ | grep -vx $$)
  # shellcheck disable=SC2086
  end_them TERM $family
  sleep 1
  # shellcheck disable=SC2086
  end_them KILL $family
  rm -rf "$work"
  exit "$1"
}

own_user() {
  if [ "$(id -u)" = 0 ]; then
    echo root
  else
    echo user
  fi
}

# {{c-answer}}
answer() {
  open_work
  if [ "${3:-}" = own ]; then
    start_machine "$(own_name "$2")" "$(own_user)" "$1"
  else
    start_machine "$2" "$(own_user)" "$1"
  fi
  collect "$1" </dev/null
  echo "$mark"
  pack
}
