# Runs $2 with bash where nothing but the folders under $1/write can change. $1/root is an empty folder.
# Handed to `sh -c` inside of fresh namespaces, as the namespace's root, who is nobody outside.
set -eu
base=$1 command=$2
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

# A root of its own: of the machine it has the programs and their configuration, no home, no socket, no other folder.
mount -t tmpfs -o size=4m,mode=755 none "$base/root"
cd "$base/root"
mkdir dev proc old opt opt/bin home home/dev repo srv tmp
for folder in usr etc bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$folder" ]; then
    ln -s "$(readlink "/$folder")" "$folder"
  elif [ -d "/$folder" ]; then
    mkdir "$folder"
    mount --rbind "/$folder" "$folder"
  fi
done
for device in null zero full random urandom tty; do
  : > "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
# Names that a system may know its own way.
command -v fd > /dev/null || ln -s /usr/bin/fdfind opt/bin/fd
command -v python > /dev/null || ln -s /usr/bin/python3 opt/bin/python

# All of it read-only. A mount keeps the flags that it came with, which this namespace may not lift.
awk -v root="$PWD/" 'index($5, root) == 1 { print $5, $6 }' /proc/self/mountinfo | while read -r place flags; do
  case ",$flags," in
    *,ro,*) ;;
    *) mount -o "remount,bind,ro,$(printf %s "$flags" | sed 's/^rw,//')" "$(printf %b "$place")" ;;
  esac
done

mount -t proc -o nosuid,nodev,noexec none proc  # writable, for the user namespace below
mount --bind proc/sys proc/sys
mount -o remount,bind,ro,nosuid,nodev,noexec proc/sys
mount --bind "$base/write/home" home/dev
mount --bind "$base/write/project" repo
mount --bind "$base/write/project" home/dev/project
mount --bind "$base/write/srv" srv
mount --bind "$base/write/tmp" tmp
pivot_root . old
cd /
umount -l /old
rmdir /old
mount -o remount,bind,ro /

cd /repo
ulimit -t 30
ulimit -f 65536
ulimit -n 512
ulimit -c 0
# One more user namespace: a user who is not root, holds no capability and meets mounts that it cannot change. No `exec`:
# this shell is the first process of its namespace, and all others end with it.
unshare --user --map-user=65534 --map-group=65534 -- setpriv --no-new-privs -- \
  env -i HOME=/home/dev USER=dev LOGNAME=dev SHELL=/bin/bash LANG=C.UTF-8 TZ=UTC TERM=dumb \
  PATH=/opt/bin:/usr/local/bin:/usr/bin:/bin \
  bash --noprofile --norc -c "$command"
