// @ts-check
// A display, and on Linux a session with an unlocked keyring, for programs that need them on a machine without a person.
import { runWithKeyring } from '../scripts/keyring.js'
import { node24 } from '../scripts/project.js'

/**
 * Runs a script of ours with Node 24, on a display of its own where the machine has none.
 * @param {string} script @param {string[]} [args] @returns {Promise<number>} exit code
 */
export async function onDisplay(script, args = []) {
  const command = [node24(), script, ...args]
  const bare = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
  const [file = '', ...rest] = bare ? ['xvfb-run', '--auto-servernum', ...command] : command
  return runWithKeyring(file, rest)
}
