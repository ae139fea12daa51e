# ---- {{c-head}}

usage() {
  cat <<'END_OF_TEXT'
@@USAGE@@
END_OF_TEXT
}

plan() {
  cat <<'END_OF_TEXT'
@@PLAN@@
END_OF_TEXT
}

wrong() {
  printf {{wrong-option}}'\n' "$1" >&2
  exit 2
}

is_number() {
  case $1 in
    "" | *[!0-9]* | 0* | ??????*) return 1 ;;
  esac
}

# {{c-lanes}}
ask_all() {
  group=$1
  number=0
  set --
  while [ "$number" -lt "$parallel" ]; do
    number=$((number + 1))
    lane "$group" "$number" &
    set -- "$@" "$!"
  done
  wait "$@"
}

lane() {
  group=$1
  answers=$work/answers
  work=$work/lane-$group-$2
  mkdir "$work" || return 1
  line=0
  while read -r target kind <&3; do
    line=$((line + 1))
    mkdir "$answers/$group-$line" 2>/dev/null || continue
    ask "$line"
  done 3<"$answers/machines"
}

ask() {
  place=$answers/$group-$1
  began=$(now)
  called=$(printf '%s' "${target##*@}" | tr -c 'A-Za-z0-9._-' '-')
  if ! safe "$target"; then
    echo no-name >"$place/code"
  elif ! has_kind; then
    echo no-kind >"$place/code"
  elif is_switch_kind; then
    start_machine "$called" admin "$kind" yes
    collect "$kind"
    if grep -q "^[^	]*	done	" "$log"; then
      echo switch >"$place/code"
    else
      echo 255 >"$place/code"
      sed -n '3s/.*	//p' "$log" >"$place/err"
    fi
  else
    input=$self
    most=1048576
    reach
    asked=$?
    input=/dev/null
    most=131072
    echo "$asked" >"$place/code"
    mv "$out" "$place/raw"
    mv "$err" "$place/err"
  fi
  echo "$(($(now) - began))" >"$place/took"
}

# {{c-gather}}
gather() {
  line=0
  reached=0
  while read -r target kind <&3; do
    line=$((line + 1))
    place=$work/answers/$1-$line
    listed=$(printf '%s' "$target" | tr -cd '\41-\176')
    read -r code <"$place/code" || code=125
    read -r took <"$place/took" || took=0
    if [ "$code" = switch ]; then
      reached=$((reached + 1))
      note reached "$listed" "$took" "$kind"
    elif take_in "$place"; then
      reached=$((reached + 1))
      echo "$target $kind" >>"$work/answers/reached"
      note reached "$listed" "$took" "$name"
    else
      why_not
      note not-reached "$listed" "$took" "$why"
      printf {{not-reached}}'\n' "$listed" "$told" >&2
    fi
  done 3<"$work/answers/machines"
}

# {{c-why-not}}
why_not() {
  why=$(grep -v '^[[:space:]]*$' "$place/err" 2>/dev/null | tail -n 1 | tr -cd '\40-\176' | cut -c 1-200)
  told=$why
  if [ "$code" = no-name ]; then
    why='not a host name'
    told={{no-name}}
  elif [ "$code" = no-kind ]; then
    why='no such kind of machine'
    told={{no-kind}}
  elif [ "$code" = 124 ]; then
    why='no answer in time'
    told={{no-answer}}
  elif [ -e "$place/strange" ]; then
    why='the answer holds what nobody asked for'
    told={{strange}}
  elif [ -z "$why" ]; then
    why="no archive came back, exit code $code"
    told={{no-archive}}
  fi
}

# {{c-take-in}}
take_in() {
  [ -s "$1/raw" ] || return 1
  {
    while IFS= read -r word; do
      [ "$word" != "$mark" ] || break
    done
    cat
  } <"$1/raw" >"$1/pack"
  [ -s "$1/pack" ] || return 1
  gzip -dc <"$1/pack" >"$1/tar" 2>/dev/null || mv "$1/pack" "$1/tar"
  tar -tf "$1/tar" >"$1/names" 2>/dev/null && [ -s "$1/names" ] || return 1
  if grep -Evq '^[A-Za-z0-9][A-Za-z0-9._-]*/[0-9]{8}T[0-9]{6}Z/[0-9][0-9]-[A-Za-z0-9._-]+\.txt$' "$1/names"; then
    : >"$1/strange"
    return 1
  fi
  mkdir "$1/files"
  (cd "$1/files" && tar -xof "$1/tar") 2>/dev/null || return 1
  [ -z "$(find "$1/files" ! -type f ! -type d)" ] || return 1
  for path in "$1"/files/*; do
    name=${path##*/}
    listed_as=$(printf '%s' "${target##*@}" | tr -c 'A-Za-z0-9._-' '-')
    owner=
    [ ! -r "$work/answers/name-$name" ] || read -r owner <"$work/answers/name-$name"
    if [ -n "$owner" ] && [ "$owner" != "$target" ]; then
      # {{c-same-name}}
      printf {{same-name}}'\n' "$target" "$owner" "$name" >&2
      for file in "$path"/*/*.txt; do
        sed -e "1s/@$name:/@$listed_as:/" -e "2s/^host: $name\$/host: $listed_as/" "$file" >"$1/renamed"
        mv "$1/renamed" "$file"
      done
      name=$listed_as
    fi
    echo "$target" >"$work/answers/name-$name"
    mkdir -p "$stage/$name"
    cp -R "$path"/. "$stage/$name/"
  done
}

# {{c-once}}
ask_once() {
  [ -n "$once" ] || return 0
  if [ -n "$(rdmas)" ]; then
    collect once
    return 0
  fi
  [ -s "$work/answers/reached" ] || return 0
  mv "$work/answers/machines" "$work/answers/all"
  tries=0
  while read -r target kind <&4 && [ "$tries" -lt 3 ]; do
    tries=$((tries + 1))
    echo "$target $kind" >"$work/answers/machines"
    rm -rf "$work/answers/once-1"
    rm -rf "$work/lane-once-1"
    lane once 1 &
    wait $!
    gather once
    ! grep -qv '/00-' "$work/answers/once-1/names" 2>/dev/null || return 0
  done 4<"$work/answers/reached"
}

run() {
  case $0 in
    */*) self=$0 ;;
    *) self=./$0 ;;
  esac
  if ! grep -q "^mark=$mark\$" "$self" 2>/dev/null; then
    printf {{no-self}}'\n' >&2
    exit 2
  fi
  [ -n "$to" ] || to=advisor-$mode-$(stamp).tar.gz
  if [ -e "$to" ]; then
    printf {{is-there}}'\n' "$to" >&2
    exit 2
  fi
  plan >&2
  open_work
  mkdir "$work/answers"
  start_machine "$(own_name head)" "$(own_user)" head
  open_folder 0
  collect head
  machines >"$work/answers/given"
  # {{c-machines}}
  sed -e 's/#.*//' -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$work/answers/given" | awk '!seen[$1]++' >"$work/answers/machines"
  count=$(wc -l <"$work/answers/machines" | tr -d ' ')
  if [ "$count" = 0 ]; then
    nobody
  else
    printf {{asking}}'\n' "$count" "$parallel" >&2
    ask_all node
    gather node
    printf {{reached}}'\n' "$reached" "$count" >&2
    ask_once
  fi
  if pack >"$to.part" && [ -s "$to.part" ]; then
    mv "$to.part" "$to"
    printf {{packed}}'\n' "$to" >&2
    printf {{next}}'\n' "$to" >&2
  else
    rm -f "$to.part"
    printf {{nothing}}'\n' >&2
    exit 3
  fi
}

main() {
  if [ "${1:-}" = --node ]; then
    answer "$2" "$3" "${4:-}"
    exit 0
  fi
  while [ $# -gt 0 ]; do
    case $1 in
      --help | -h)
        usage
        exit 0
        ;;
      --list)
        plan
        exit 0
        ;;
      --to | --gap | --parallel | --host-limit | @@OPTIONS@@)
        [ -n "${2:-}" ] || wrong "$1"
        set_option "$1" "$2"
        shift
        ;;
      *) own_flag "$1" || wrong "$1" ;;
    esac
    shift
  done
  run
}

set_option() {
  case $1 in
    --gap | --parallel | --host-limit) is_number "$2" || wrong "$1 $2" ;;
  esac
  case $1 in
    --to) to=$2 ;;
    --gap) gap=$2 ;;
    --parallel) parallel=$2 ;;
    --host-limit) host_limit=$2 ;;
    *) own_option "$1" "$2" ;;
  esac
}

main "$@"
exit
