import { connect } from './connect.ts'
import { PageKey } from './key.ts'

// Without the key `window.panel` isn't set, and the page explains how to get one.
const key = new PageKey()
if (key.take()) window.panel = connect(`ws://${location.host}/socket`, key)
