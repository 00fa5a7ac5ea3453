// @ts-check
// A real, unlocked keyring of its own for tests: on Linux it takes a session bus, which a machine without a desktop lacks.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { environment, run } from './project.js'

const unlock =
  'eval "$(printf test | gnome-keyring-daemon --unlock --components=secrets 2>/dev/null)"; exec "$@"'

/**
 * Runs a command beside a keyring that ends with it. The person's own keyring and folders are not touched.
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [extra] more of the environment
 * @returns {Promise<number>} exit code
 */
export async function runWithKeyring(file, args, extra = {}) {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/gnome-keyring-daemon')) {
    return (await run(file, args, { env: { ...environment(), ...extra } })).code
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wheelhouse-test-'))
  try {
    const env = {
      ...environment(),
      ...extra,
      XDG_DATA_HOME: path.join(folder, 'data'),
      XDG_CONFIG_HOME: path.join(folder, 'config'),
      XDG_STATE_HOME: path.join(folder, 'state'),
      XDG_RUNTIME_DIR: folder,
    }
    return (await run('dbus-run-session', ['--', 'bash', '-c', unlock, '_', file, ...args], { env })).code
  } finally {
    // The keyring may still write as it ends.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
