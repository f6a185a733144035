#!/bin/sh
# Three PostgreSQL servers under Patroni, with etcd and HAProxy, on one machine: to try a failover, and as a pattern for
# machines of your own. Debian: apt-get install postgresql patroni etcd-server haproxy
#
#   cluster.sh start DIR          makes the cluster in DIR, starts it, and waits until writes are possible
#   cluster.sh start DIR NAME     starts one of etcd, one, two, three, haproxy
#   cluster.sh stop DIR [NAME]    stops all of it, or one
#   cluster.sh list DIR           the servers, their roles and their lag
#   cluster.sh rebuild DIR NAME   copies a server anew from the leader, if it cannot follow any more (see its log)
#   cluster.sh switch DIR         makes the synchronous replica the leader
#
# Run it as root or as the user postgres. CLUSTER_PORT (15400) is HAProxy's port; the servers use the next ones.
# On machines of your own: one server and one etcd on each of three, HAProxy beside Furrow, passwords of your own,
# TLS, and addresses instead of 127.0.0.1.
set -eu

command=${1:-help}
dir=${2:-}
name=${3:-}
port=${CLUSTER_PORT:-15400}
etcd_port=$((port + 21))
if [ -z "$dir" ]; then
  sed -n '2,15s/^# \{0,1\}//p' "$0"
  exit 2
fi

# PostgreSQL refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$dir"
  chown postgres:postgres "$dir"
  exec setpriv --reuid=postgres --regid=postgres --init-groups env HOME="$dir" CLUSTER_PORT="$port" sh "$0" "$@"
fi
binaries=$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres | sort -V | tail -n 1)")

number_of() { case $1 in one) echo 1 ;; two) echo 2 ;; three) echo 3 ;; esac; }

write_patroni() {
  n=$(number_of "$1")
  cat >"$dir/$1.yml" <<YAML
scope: furrow
name: $1
restapi:
  listen: 127.0.0.1:$((port + 10 + n))
  connect_address: 127.0.0.1:$((port + 10 + n))
etcd3:
  host: 127.0.0.1:$etcd_port
bootstrap:
  dcs:
    # A leader that is silent for \`ttl\` seconds is replaced. The usual values (30, 10, 10) are calmer.
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    # A leader whose PostgreSQL crashed is replaced at once, instead of being restarted.
    master_start_timeout: 0
    maximum_lag_on_failover: 1048576
    # A commit is acknowledged when a replica has it. Strict: never without a replica.
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 100
        wal_keep_size: 512MB
        wal_log_hints: 'on'
        # A replica that is cut off holds up commits for so long.
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
  initdb: [{ encoding: UTF8 }, { locale: C }, data-checksums]
  users:
    furrow: { password: furrow, options: [login] }
postgresql:
  listen: 127.0.0.1:$((port + n))
  connect_address: 127.0.0.1:$((port + n))
  data_dir: $dir/$1
  bin_dir: $binaries
  pgpass: $dir/$1.pgpass
  authentication:
    superuser: { username: postgres, password: postgres }
    replication: { username: replicator, password: replicator }
    rewind: { username: rewinder, password: rewinder }
  parameters: { unix_socket_directories: $dir }
  pg_hba:
    - local all all trust
    - host replication replicator 127.0.0.1/32 scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
YAML
}

# Patroni answers /primary with 200 at the leader only. Sessions to a server that is no leader any more are closed.
write_haproxy() {
  cat >"$dir/haproxy.cfg" <<CFG
global
  maxconn 200
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen furrow
  bind 127.0.0.1:$port
  option httpchk
  http-check send meth OPTIONS uri /primary
  http-check expect status 200
  default-server inter 500ms fastinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
  server one 127.0.0.1:$((port + 1)) maxconn 100 check port $((port + 11))
  server two 127.0.0.1:$((port + 2)) maxconn 100 check port $((port + 12))
  server three 127.0.0.1:$((port + 3)) maxconn 100 check port $((port + 13))
CFG
}

write_settings() {
  for server in one two three; do [ -e "$dir/$server.yml" ] || write_patroni "$server"; done
  [ -e "$dir/haproxy.cfg" ] || write_haproxy
}

is_running() { [ -e "$dir/$1.pid" ] && kill -0 "$(cat "$dir/$1.pid")" 2>/dev/null; }

start_one() {
  if is_running "$1"; then return; fi
  case $1 in
    etcd)
      # Debian's package asks for the variable on some processors.
      set -- etcd env ETCD_UNSUPPORTED_ARCH="$(dpkg --print-architecture)" etcd --name etcd --data-dir "$dir/etcd" \
        --listen-client-urls "http://127.0.0.1:$etcd_port" --advertise-client-urls "http://127.0.0.1:$etcd_port" \
        --listen-peer-urls "http://127.0.0.1:$((etcd_port + 1))" \
        --initial-advertise-peer-urls "http://127.0.0.1:$((etcd_port + 1))" \
        --initial-cluster "etcd=http://127.0.0.1:$((etcd_port + 1))" ;;
    haproxy) set -- haproxy /usr/sbin/haproxy -db -f "$dir/haproxy.cfg" ;;
    *) set -- "$1" patroni "$dir/$1.yml" ;;
  esac
  started=$1
  shift
  cd "$dir"
  setsid "$@" >>"$dir/$started.log" 2>&1 </dev/null &
  echo $! >"$dir/$started.pid"
}

stop_one() {
  if is_running "$1"; then
    process=$(cat "$dir/$1.pid")
    kill "$process"
    while kill -0 "$process" 2>/dev/null; do sleep 0.1; done
  fi
  rm -f "$dir/$1.pid"
}

list() { patronictl -c "$dir/one.yml" list; }

# Writes need a leader and a synchronous replica.
until_ready() {
  for _ in $(seq 120); do
    servers=$(list 2>/dev/null || true)
    if echo "$servers" | grep -q 'Sync Standby' && echo "$servers" | grep -q 'Leader.*running'; then return; fi
    sleep 0.5
  done
  echo "The cluster has no leader with a synchronous replica: see $dir/*.log" >&2
  exit 1
}

make_database() {
  leader="host=127.0.0.1 port=$port user=postgres password=postgres dbname=postgres"
  for _ in $(seq 60); do
    if psql "$leader" -Atc "select 1 from pg_database where datname = 'farm'" 2>/dev/null | grep -q 1; then return; fi
    psql "$leader" -qc 'create database farm owner furrow' 2>/dev/null || sleep 0.5
  done
}

case $command in
  start)
    write_settings
    if [ -n "$name" ]; then
      start_one "$name"
    else
      for one in etcd one two three haproxy; do start_one "$one"; done
      until_ready
      make_database
      servers="127.0.0.1:$((port + 1)),127.0.0.1:$((port + 2)),127.0.0.1:$((port + 3))"
      echo "Through HAProxy:  --database postgres://furrow:furrow@127.0.0.1:$port/farm"
      echo "Without it:       --database 'postgres://furrow:furrow@$servers/farm?target_session_attrs=read-write'"
    fi
    ;;
  stop) for one in ${name:-haproxy three two one etcd}; do stop_one "$one"; done ;;
  list) list ;;
  rebuild) patronictl -c "$dir/one.yml" reinit furrow "$name" --force ;;
  switch) patronictl -c "$dir/one.yml" switchover --force ;;
  *)
    echo "cluster.sh knows start, stop, list, rebuild and switch, not $command" >&2
    exit 2
    ;;
esac
