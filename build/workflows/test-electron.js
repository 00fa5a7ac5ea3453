// @ts-check
// The journeys in Electron, on a display of their own where the machine has none.
import { at, main } from '../scripts/project.js'
import { onDisplay } from './display.js'

await main(() => onDisplay(at('build/scripts/test-electron.js')))
