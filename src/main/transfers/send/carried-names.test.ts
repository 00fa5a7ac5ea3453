import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import path from 'node:path'
import { expect, it } from 'vitest'
import { answerJson } from '../../../../tests/doubles/services/odd-service.ts'
import { panelAt } from '../../panel/panel.fixture.ts'

it('uploads by the names that a profile gives, in the metadata of tus and in a form', async () => {
  const seen: string[] = []
  const at = await panelAt({
    async 'POST /servers/files/upload/a'(request, response) {
      const body = await buffer(request)
      if (request.headers['tus-resumable']) {
        seen.push(String(request.headers['upload-metadata']))
        return answerJson(response, { error: { code: 'route.wrong-method', message: 'No.' } }, 405)
      }
      seen.push(...(body.toString().match(/ name="[^"]*"/g) ?? []))
      answerJson(response, { entry: { name: 'notes.txt', kind: 'file', size: body.length } }, 201)
    },
  })
  const { connectionId } = at
  const { text } = await at.call('service.profile', { connectionId })
  const request = { path: 'filename', file: 'upload' }
  const operations = { 'files.upload': { request } }
  const profile = JSON.stringify({ ...(JSON.parse(text) as object), operations })
  const saved = await at.call('service.save-profile', { connectionId, text: profile, values: [] })
  expect(saved).toEqual({ kind: 'saved' })
  await writeFile(path.join(at.folder, 'notes.txt'), 'Bring torches.')
  await at.panel.upload({
    to: { connectionId, serverId: 'a', folder: '' },
    files: [{ file: path.join(at.folder, 'notes.txt'), path: 'notes.txt' }],
    folders: [],
  })
  await at.until('transfers', ({ items }) => items.some(({ endedAt }) => endedAt !== null))
  const target = Buffer.from('notes.txt').toString('base64')
  expect(seen.find((one) => one.includes(target))).toMatch(`filename ${target}`)
  expect(seen).toEqual(expect.arrayContaining([' name="filename"', ' name="upload"']))
  expect(seen.join()).not.toMatch(/(^|,)path /)
})
