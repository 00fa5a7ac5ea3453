import { connect } from './connect.ts'
import { PageKey } from './key.ts'

// The browser's way in: the same `window.panel` as Electron's preload. Without the key it isn't set, and the page
// explains how to get one.
const key = new PageKey()
if (key.take()) window.panel = connect(`ws://${location.host}/socket`, key)
