// @ts-check
// As root, on a fresh Debian or Ubuntu: what the tests and the installers need of it, before `npm ci` compiles keytar.
import { spawnSync } from 'node:child_process'

/** rpm makes the package of that name; xvfb is a display for Electron. */
const packages = ['libsecret-1-dev', 'dbus', 'gnome-keyring', 'xvfb', 'rpm', 'default-jdk-headless']

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
