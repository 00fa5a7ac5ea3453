// A stand-in for a service that fetches a file and may be killed meanwhile: folder, and the file as JSON.
import type { RemoteFile } from '../../../src/service/software/catalog.ts'
import { Downloads } from '../../../src/service/software/downloads/downloads.ts'

const [, , folder = '', file = ''] = process.argv
const downloads = new Downloads({ folder, userAgent: 'Wheelhouse (test)', seen: () => 0, spareBytes: 0 })
const at = await downloads.fetch(JSON.parse(file) as RemoteFile, {
  signal: new AbortController().signal,
  onProgress: (done) => process.stdout.write(`${done}\n`),
})
process.stdout.write(`at ${at}\n`)
await downloads.close()
