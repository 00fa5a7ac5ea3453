import { afterAll, expect, it, onTestFinished } from 'vitest'
import { ApiClient } from '../../api/client.ts'
import { makeDispatcher } from '../../api/requests/transport.ts'
import { oddFiles } from './odd-files.fixture.ts'
import { ICON_FILE, saveIcon } from './save-icon.ts'

const dispatcher = makeDispatcher()
afterAll(() => dispatcher.close())

/** What every PNG begins with, of so many pixels. */
function png(width: number, height: number): string {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d4948445200000000000000000806000000aa69711d', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString('base64')
}

it('an icon is a PNG of 64×64 pixels; anything else would stop the server and is not written', async () => {
  const service = await oddFiles()
  onTestFinished(() => service[Symbol.asyncDispose]())
  const client = new ApiClient({ baseUrl: service.listener.baseUrl, dispatcher, token: async () => 't' })
  client.trust()
  const at = { client, serverId: 's', path: ICON_FILE }
  const text = Buffer.from('no picture').toString('base64')
  for (const wrong of ['', text, png(128, 64), png(64, 65), png(64, 64).slice(0, 32)])
    await expect(saveIcon(at, wrong)).rejects.toMatchObject({ problem: { code: 'invalid' } })
  expect(service.asked).toEqual([])
  await saveIcon(at, png(64, 64))
  expect([...service.files.keys()]).toEqual([ICON_FILE])
})
