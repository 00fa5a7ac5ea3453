// @ts-check
// The journeys in Electron, on a display of their own where the machine has none.
import { at, main, node24, run } from '../scripts/project.js'

await main(async () => {
  const command = [node24(), at('build/scripts/test-electron.js')]
  const bare = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
  const [file = '', ...args] = bare ? ['xvfb-run', '--auto-servernum', ...command] : command
  return (await run(file, args)).code
})
