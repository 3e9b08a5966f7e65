#!/usr/bin/env bash
# A real S3 server for tests: one Ceph monitor, manager, object store and radosgw, all on loopback, as plain processes.
#
#   scripts/s3-server.sh start <folder> [port]   starts what does not run, and prints what to put into DAGUERRE_TEST_S3; after a stop: with what it held
#   scripts/s3-server.sh stop <folder>           ends its processes, and waits for that
#   scripts/s3-server.sh gateway <folder> [port] starts the gateway again, after `kill -9` of $folder/rgw.pid
#
# Debian: apt-get install --no-install-recommends ceph-mon ceph-mgr ceph-osd radosgw
# Takes some 20 s and 450 MB of memory; what it stores lies in the folder.
set -eu
action=${1:?start, stop or gateway}
mkdir -p "${2:?a folder of its own}"
dir=$(cd "$2" && pwd)
port=${3:-7480}
key=daguerretest
secret=daguerretestsecret
bucket=daguerre-test
conf=$dir/ceph.conf

gateway() {
  radosgw -c "$conf" -n client.rgw.test --pid-file "$dir/rgw.pid" \
    --rgw-frontends "beast endpoint=127.0.0.1:$port" >"$dir/rgw.out" 2>&1
  for _ in $(seq 1 120); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return; fi
    sleep 0.5
  done
  echo "radosgw does not answer on 127.0.0.1:$port: see $dir/rgw.log" >&2
  exit 1
}

# The number in the file may be another process by now: ours names its configuration.
runs() {
  [ -f "$dir/$1.pid" ] && grep -qF -- "$conf" "/proc/$(cat "$dir/$1.pid")/cmdline" 2>/dev/null
}

stop() {
  for part in rgw osd mgr mon; do
    runs "$part" || continue
    pid=$(cat "$dir/$part.pid")
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 1 60); do
      [ -e "/proc/$pid" ] || break
      sleep 0.25
    done
    # The manager and the monitor of a cluster that ends wait for each other.
    if [ -e "/proc/$pid" ]; then kill -9 "$pid" 2>/dev/null || true; fi
  done
}

daemons() {
  runs mon || ceph-mon -c "$conf" -i a --pid-file "$dir/mon.pid" >"$dir/mon.out" 2>&1
  runs mgr || ceph-mgr -c "$conf" -i x --pid-file "$dir/mgr.pid" >"$dir/mgr.out" 2>&1
  runs osd || ceph-osd -c "$conf" -i 0 --pid-file "$dir/osd.pid" >"$dir/osd.out" 2>&1
}

case $action in
stop) stop; exit 0 ;;
gateway) gateway; exit 0 ;;
start) ;;
*) echo "unknown: $action" >&2; exit 2 ;;
esac

for tool in ceph-mon ceph-mgr ceph-osd radosgw ceph ceph-authtool monmaptool radosgw-admin; do
  command -v "$tool" >/dev/null || { echo "$tool is not installed: see the head of $0" >&2; exit 3; }
done
mon=$((port + 1))
if [ -f "$dir/made" ]; then
  daemons
  runs rgw || gateway
  echo "DAGUERRE_TEST_S3=http://$key:$secret@127.0.0.1:$port/$bucket"
  exit 0
fi
fsid=$(cat /proc/sys/kernel/random/uuid)
mkdir -p "$dir/mon" "$dir/mgr" "$dir/osd"
cat >"$conf" <<CONF
[global]
fsid = $fsid
mon_host = [v2:127.0.0.1:$mon]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
public_network = 127.0.0.0/8
keyring = $dir/keyring
run_dir = $dir
admin_socket = $dir/\$name.asok
pid_file =
log_file = $dir/\$type.log
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_data = $dir/mon
mgr_data = $dir/mgr
osd_data = $dir/osd
osd_objectstore = bluestore
bluestore_block_size = 4294967296
osd_memory_target = 939524096
ms_bind_msgr1 = false
rgw_thread_pool_size = 32
mgr_initial_modules =
CONF
ceph-authtool --create-keyring "$dir/keyring" --gen-key -n mon. --cap mon 'allow *' >/dev/null
for who in client.admin mgr.x osd.0 client.rgw.test; do
  ceph-authtool "$dir/keyring" --gen-key -n "$who" --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' >/dev/null
done
monmaptool --create --addv a "[v2:127.0.0.1:$mon]" --fsid "$fsid" "$dir/monmap" >/dev/null
ceph-mon -c "$conf" --mkfs -i a --monmap "$dir/monmap" --keyring "$dir/keyring" >/dev/null 2>&1
ceph-mon -c "$conf" -i a --pid-file "$dir/mon.pid" >/dev/null 2>&1
ceph-mgr -c "$conf" -i x --pid-file "$dir/mgr.pid" >/dev/null 2>&1
truncate -s 4G "$dir/osd/block"
osd=$(cat /proc/sys/kernel/random/uuid)
ceph -c "$conf" osd new "$osd" 0 >/dev/null
ceph-osd -c "$conf" -i 0 --mkfs --osd-uuid "$osd" >/dev/null 2>&1
ceph-osd -c "$conf" -i 0 --pid-file "$dir/osd.pid" >/dev/null 2>&1
gateway
radosgw-admin -c "$conf" -n client.rgw.test user create --uid=test --display-name=test \
  --access-key="$key" --secret-key="$secret" >/dev/null 2>&1
touch "$dir/made"
echo "DAGUERRE_TEST_S3=http://$key:$secret@127.0.0.1:$port/$bucket"
