import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { readForm } from './form.ts'

const TYPE = 'multipart/form-data; boundary=b'
const HEAD =
  '--b\r\nContent-Disposition: form-data; name="path"\r\n\r\na.bin\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
const FILE = Buffer.alloc(300_000, 7)

it('a form has its fields and its file', async () => {
  const body = Readable.from([Buffer.from(HEAD), FILE, Buffer.from('\r\n--b--\r\n')], { objectMode: false })
  const { fields, file } = await readForm(TYPE, body)
  expect(fields).toEqual({ path: 'a.bin' })
  expect((await buffer(file)).equals(FILE)).toBe(true)
})

it.each([
  ['fails', (body: Readable) => body.destroy(new Error('The source failed.'))],
  ['ends too early', (body: Readable) => body.destroy()],
])('whoever reads the file of a form that %s is told', async (_how, end) => {
  const body = new Readable({ read: () => undefined })
  body.push(HEAD)
  body.push(FILE)
  const { file } = await readForm(TYPE, body)
  const read = buffer(file)
  end(body)
  await expect(read).rejects.toThrow(/The source failed|cut short/)
})

it('a form that breaks off before its file is read fails for whoever reads it then', async () => {
  const body = new Readable({ read: () => undefined })
  body.push(HEAD)
  body.push(FILE)
  const { file } = await readForm(TYPE, body)
  body.destroy()
  await new Promise((resolve) => file.once('close', resolve))
  await expect(buffer(file)).rejects.toThrow('cut short')
})

it('a form that fails before its file is refused', async () => {
  const body = new Readable({ read: () => undefined })
  const read = readForm(TYPE, body)
  body.destroy(new Error('The source failed.'))
  await expect(read).rejects.toThrow('The source failed')
})
