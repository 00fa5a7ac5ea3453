// @ts-check
// As root, on a fresh Debian or Ubuntu: what the tests and the installers need of it, before `npm ci` compiles keytar.
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'

/** rpm makes the package of that name; xvfb is a display for Electron, and dunst shows its notifications. */
const packages = [
  'libsecret-1-dev',
  'dbus',
  'dunst',
  'gnome-keyring',
  'xvfb',
  'rpm',
  'default-jdk-headless',
  'restic',
  'rclone',
  'openssh-server',
]
/** Ubuntu keeps the sandbox of programs it does not know from working; one that is installed brings a profile for that. */
const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'

for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
  const { status, error } = spawnSync('apt-get', args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) {
    process.stderr.write(`apt-get ${args[0]} failed${error ? `: ${error.message}` : ''}.\n`)
    process.exit(1)
  }
}

if (existsSync(restriction)) writeFileSync(restriction, '0')
