# ---- {{c-slurm}}

hosts_file=
job=
partition=
gres=

machines() {
  if [ -n "$hosts_file" ]; then
    cat "$hosts_file"
  elif [ -n "$job" ]; then
    limited 60 squeue -h -j "$job" -o %N
    nodes=$(cat "$out")
    limited 60 scontrol show hostnames "$nodes"
    cat "$out"
  elif [ -n "$partition" ]; then
    limited 60 sinfo -h -N -p "$partition" -o %N
    cat "$out"
  else
    printf '%s\n' "$hosts"
  fi
}

nobody() {
  printf {{nobody-slurm}}'\n' >&2
}

has_kind() {
  [ -z "$kind" ] || [ "$kind" = node ]
}

is_switch_kind() {
  return 1
}

# {{c-reach-slurm}}
reach() {
  set -- sh -s -- --node "$group" "$called"
  [ -z "$gres" ] || set -- "--gres=$gres" "$@"
  if [ -n "$job" ]; then
    set -- "--jobid=$job" --overlap "$@"
  elif [ -n "$partition" ]; then
    set -- "--partition=$partition" "$@"
  fi
  limited "$((host_limit + 60))" srun --quiet --immediate=60 --nodes=1 --ntasks=1 --mpi=none --chdir=/ "--time=$((host_limit / 60 + 2))" "--nodelist=$target" "$@"
}

own_option() {
  case $1 in
    --hosts)
      [ -r "$2" ] || wrong "$1 $2"
      hosts_file=$2
      ;;
    --job) job=$2 ;;
    --partition) partition=$2 ;;
    --gres) gres=$2 ;;
  esac
}

own_flag() {
  return 1
}
