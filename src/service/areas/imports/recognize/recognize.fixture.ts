import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openTestFiles } from '../../../files/files.fixture.ts'
import { recognizeServer } from './recognize.ts'

const { signal } = new AbortController()

/** Files of a server: name → content; a name that ends in a slash is an empty folder. */
export async function filesOf(entries: Record<string, string | Buffer>) {
  const { files, root } = await openTestFiles()
  for (const [name, content] of Object.entries(entries)) {
    const at = path.join(root, name)
    await mkdir(name.endsWith('/') ? at : path.dirname(at), { recursive: true })
    if (!name.endsWith('/')) await writeFile(at, content)
  }
  return files
}

/** What is recognized of a server with these files. */
export const ran = async (entries: Record<string, string | Buffer>) =>
  (await recognizeServer(await filesOf(entries), signal)).found
