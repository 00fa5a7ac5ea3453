import { connect } from './connect.ts'

// The browser's way in: the same `window.panel` that Electron's preload sets.
window.panel = connect(`ws://${location.host}/socket`)
