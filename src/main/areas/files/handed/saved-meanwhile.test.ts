import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { atServer, openAt, putAt } from './handed.fixture.ts'

it('opening a file again keeps what was saved while the server’s was downloaded', async () => {
  const at = await atServer()
  putAt(at, 'a.txt', 'old')
  const { here } = await openAt(at, 'a.txt')
  putAt(at, 'a.txt', 'new')
  at.service.answers['GET /servers/files/content/s'] = (_request, response) => {
    delete at.service.answers['GET /servers/files/content/s']
    void writeFile(here, 'mine').then(() => response.writeHead(200, { 'content-length': 3 }).end('new'))
  }
  await openAt(at, 'a.txt')
  expect(await readFile(here, 'utf8')).toBe('mine')
})
