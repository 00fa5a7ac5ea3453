// @ts-check
// What works in Electron on this machine, as a table; on a display of its own where the machine has none.
import { at, main } from '../scripts/project.js'
import { onDisplay } from './display.js'

await main(() => onDisplay(at('build/scripts/check-electron.js')))
