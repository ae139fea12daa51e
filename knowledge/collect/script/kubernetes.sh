# ---- {{c-kubernetes}}

namespace=
daemonset=
container=
chroot=

# {{c-pods}}
machines() {
  [ -n "$daemonset" ] || return 0
  limited 60 kubectl get pods -n "$namespace" -o "jsonpath={range .items[?(@.metadata.ownerReferences[0].name==\"$daemonset\")]}{.spec.nodeName}{\" \"}{.metadata.name}{\"\\n\"}{end}"
  cat "$out"
}

nobody() {
  printf {{nobody-kubernetes}}'\n' >&2
}

has_kind() {
  safe "$kind"
}

is_switch_kind() {
  return 1
}

# {{c-reach-kubernetes}}
reach() {
  set -- sh -s -- --node "$group" "$called"
  [ -z "$chroot" ] || set -- chroot "$chroot" "$@"
  if [ -n "$container" ]; then
    set -- -c "$container" -- "$@"
  else
    set -- -- "$@"
  fi
  limited "$((host_limit + 60))" kubectl exec -i -n "$namespace" "$kind" "$@"
}

own_option() {
  case $1 in
    --daemonset)
      case $2 in
        */*/* | *[!a-z0-9./-]* | /* | */) wrong "$1 $2" ;;
        */*) ;;
        *) wrong "$1 $2" ;;
      esac
      namespace=${2%%/*}
      daemonset=${2#*/}
      ;;
    --container) container=$2 ;;
    --chroot) chroot=$2 ;;
  esac
}

own_flag() {
  return 1
}
