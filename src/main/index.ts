// Electron's entry: boot order only. What has to be settled before Electron is ready is settled here, without awaiting it.
import { enableCompileCache } from 'node:module'
import { app } from 'electron'

enableCompileCache()
app.enableSandbox()

const { boot } = await import('./electron/boot.ts')
boot()
