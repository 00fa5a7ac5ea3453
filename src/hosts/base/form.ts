import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { hostRefusal } from './adapter.ts'

export async function inTurn<In, Out>(
  items: readonly In[],
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = []
  for (const item of items) results.push(await work(item))
  return results
}

export interface UploadForm {
  /** Those before the file. */
  fields: Partial<Record<string, string>>
  /** Its bytes as they come. */
  file: Readable
  /** Once the file was read: hex, or undefined if it wasn't sent. */
  sha256: () => Promise<string | undefined>
}

export function readForm(type: string | null, body: Readable): Promise<UploadForm> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {}
    const form = new Busboy({
      headers: { 'content-type': type ?? '' },
      isPartAFile: (name) => name === 'file',
      limits: { files: 1, fields: 8 },
    })
    let opened: Readable | null = null
    // Whoever reads the file would wait for it without end.
    const fail = (error: Error) => {
      opened?.destroy(error)
      form.destroy(error)
    }
    form.on('field', (name, value) => (fields[name] = value))
    form.on('file', (_name, file: BusboyFileStream) => {
      opened = file
      // It may break off before anybody reads it, or when nobody will; who reads it then is told all the same.
      file.on('error', () => undefined)
      const ended = once(form, 'finish')
      ended.catch(() => undefined)
      const sha256 = async () => {
        await ended
        return fields['sha256']
      }
      resolve({ fields, file, sha256 })
    })
    form.on('error', reject).on('finish', () => reject(hostRefusal(422, 'request.invalid.no-file')))
    body.on('error', fail).once('close', () => {
      if (!body.readableEnded) fail(new Error('The form was cut short.'))
    })
    body.pipe(form)
  })
}
