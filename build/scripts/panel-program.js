// @ts-check
// Which program opens the panel here: Electron with a window, or the one that serves a browser.
import { electronExecutable } from './electron-executable.js'
import { at, node24, programEnvironment, programFlags, root } from './project.js'

/**
 * Reads the options of `npm start` and `npm run dev`: `--web` is ours, the rest goes to the program.
 * @param {string[]} given
 * @returns {Promise<{ file: string, args: string[], env: NodeJS.ProcessEnv }>}
 */
export async function panelProgram(given) {
  const args = given.filter((arg) => arg !== '--web')
  const env = programEnvironment()
  const web = { file: node24(), args: [...programFlags, at('out/main/web.js'), ...args], env }
  if (given.length > args.length || args.includes('--help') || args.includes('-h')) return web
  const electron = await electronExecutable()
  if ('file' in electron) {
    const named = process.env.ELECTRON_OVERRIDE_DIST_PATH ? ', which ELECTRON_OVERRIDE_DIST_PATH names' : ''
    process.stderr.write(`Electron: ${electron.file}${named}\n`)
    // A window opens nowhere else, and listens on no port.
    const own = args.filter((arg) => arg !== '--no-open')
    return { file: electron.file, args: [root, '--node', node24(), ...own], env }
  }
  process.stderr.write(`${electron.reason}: the panel is served to your browser instead.\n`)
  return web
}
