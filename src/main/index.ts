// Boot order only: everything Electron needs before it is ready is settled here, without awaiting it.
import { app } from 'electron'

// Load code only from the program's own archive, whose integrity is checked. A compile cache would be read without that
// check, from a folder others can write to.
app.enableSandbox()

const { boot } = await import('./electron/boot.ts')
boot()
