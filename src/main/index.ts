// Electron's entry: boot order only. What has to be settled before Electron is ready is settled here, without awaiting it.
import { app } from 'electron'
import { startAhead } from './base/thread-ahead.ts'

// Code is read from the program's own archive alone, whose integrity is checked. A cache of compiled code would be read
// without that check, from a folder that others may write.
app.enableSandbox()
startAhead('databases')

const { boot } = await import('./electron/boot.ts')
boot()
