# ---- {{c-ssh}}

hosts_file=
sudo=

machines() {
  if [ -n "$hosts_file" ]; then
    cat "$hosts_file"
  else
    printf '%s\n' "$hosts"
  fi
}

# {{c-nobody-ssh}}
nobody() {
  start_machine "$(own_name "$host")" "$(own_user)" node
  collect node
  [ -z "$once" ] || collect once
}

has_kind() {
  [ -z "$kind" ] || [ "$kind" = node ] || is_switch_kind
}

is_switch_kind() {
  case " $switch_kinds " in
    *" $kind "*) [ -n "$kind" ] ;;
    *) return 1 ;;
  esac
}

# {{c-reach-ssh}}
reach() {
  limited "$((host_limit + 60))" @@SSH@@ -- "$target" "${sudo}sh -s -- --node $group '$called' own"
}

own_option() {
  [ -r "$2" ] || wrong "$1 $2"
  hosts_file=$2
}

own_flag() {
  [ "$1" = --sudo ] || return 1
  sudo='sudo -n '
}
