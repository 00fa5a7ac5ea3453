import { connect } from './connect.ts'
import { PageKey } from './key.ts'

// The browser's way in: the same `window.panel` that Electron's preload sets. Without the key there is none, and the page
// says how to get one.
const key = new PageKey()
if (key.take()) window.panel = connect(`ws://${location.host}/socket`, key)
