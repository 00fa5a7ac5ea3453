#!/bin/bash

# Delete the link to the binary
# update-alternatives --remove <name> <path>: 'path' must be the registered alternative binary,
# not the generic symlink — see https://man7.org/linux/man-pages/man1/update-alternatives.1.html
if type update-alternatives >/dev/null 2>&1; then
    update-alternatives --remove '${executable}' '/opt/${sanitizedProductName}/${executable}'
else
    rm -f '/usr/bin/${executable}'
fi

APPARMOR_PROFILE_DEST='/etc/apparmor.d/${executable}'

# Remove and unload apparmor profile.
if [ -f "$APPARMOR_PROFILE_DEST" ]; then
  # Unload the profile from the running kernel before deleting the file so the
  # policy is not left enforced until the next reboot.  Mirror the chroot guard
  # used in the after-install script — live AppArmor operations are not
  # meaningful inside a chroot.
  # https://wiki.debian.org/AppArmor/HowToUse
  if apparmor_status --enabled > /dev/null 2>&1; then
    if ! { [ -x '/usr/bin/ischroot' ] && /usr/bin/ischroot; } && hash apparmor_parser 2>/dev/null; then
      apparmor_parser --remove "$APPARMOR_PROFILE_DEST" || true
    fi
  fi
  rm -f "$APPARMOR_PROFILE_DEST"
fi

# What the program told the systems of its users by itself: starting with the session, and the service in the background.
# Done as each user, so that nothing they have put there leads elsewhere; never their data. Not where a newer version comes.
case "$1" in
  remove | purge | 0)
    getent passwd | while IFS=: read -r user _ uid _ _ home _; do
      [ "$uid" -ge 1000 ] && [ "$uid" -lt 65534 ] && [ -d "$home" ] || continue
      timeout 10 runuser -u "$user" -- env HOME="$home" PROGRAM='/opt/${sanitizedProductName}/${executable}' sh -c '
        cd "$HOME" || exit 0
        for file in .config/autostart/${executable}.desktop .config/systemd/user/${executable}-????????????.service; do
          [ -f "$file" ] && [ ! -L "$file" ] || continue
          # Another installation, such as an AppImage, keeps what is its own.
          grep -qE "^Exec(Start)?=\":?$PROGRAM\"" "$file" && rm -f "$file"
        done
      ' </dev/null || true
    done
    ;;
esac
exit 0
