import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { generate } from 'selfsigned'
import { expect, onTestFinished, test } from 'vitest'
import { resetMail } from '../accounts/sign-in/mails.ts'
import { systemClock } from '../../base/clock.ts'
import { mailServer, outboxFor, type Says } from '../../../../tests/doubles/mail-server.ts'

const mail = {
  to: 'ann@example.org',
  subject: 'A code',
  text: 'Your code is\n\n    123456\n',
  goodForMs: 60_000,
}
const waitingIn = (folder: string) => readdir(path.join(folder, 'waiting'))
const failedIn = (folder: string) => readdir(path.join(folder, 'failed'))

test('a mail server is handed each mail once, in order, over one connection, and then none is kept', async () => {
  const server = await mailServer()
  const { outbox, folder } = await outboxFor(server.port)
  for (const at of [1, 2, 3]) await outbox.send({ ...mail, subject: `Mail ${at}` })
  for (const at of [1, 2, 3]) {
    const { to, content } = await server.next()
    expect(to).toBe('ann@example.org')
    expect(content).toContain(`Subject: Mail ${at}`)
    expect(content).toContain('From: Wheelhouse <panel@example.org>')
    expect(content).toContain('Auto-Submitted: auto-generated')
    expect(content).toMatch(/^ {4}123456\r$/m)
  }
  expect(server.conversations()).toBe(1)
  await outbox.close(1000)
  expect(await waitingIn(folder)).toEqual([])
})

test('a mail is handed over as plain text and as HTML, in its own language', async () => {
  const server = await mailServer()
  const { outbox } = await outboxFor(server.port)
  await outbox.send(resetMail('ann@example.org', { name: 'Änne <b>', language: 'de' }, '123456'))
  const { content } = await server.next()
  expect(content).toMatch(/^Content-Type: multipart\/alternative;/m)
  const [, plain = '', html = ''] = content.split(/^--.*\r\n(?=Content-Type)/m)
  expect(plain).toMatch(/^Content-Type: text\/plain; charset=utf-8\r/)
  expect(plain).toMatch(/^ {4}123456\r$/m)
  expect(plain).toMatch(/^Hallo =C3=84nne <b>,\r$/m)
  expect(html).toMatch(/^Content-Type: text\/html; charset=utf-8\r/)
  expect(html).toContain('<p>Hallo =C3=84nne &lt;b&gt;,</p>')
  expect(html).toContain('123456</p>')
})

test('a mail that nobody is to get is neither sent nor kept', async () => {
  const server = await mailServer()
  const { outbox, folder } = await outboxFor(server.port)
  await outbox.feign({ ...mail, subject: 'Never' })
  expect(await waitingIn(folder)).toEqual([])
  await outbox.send(mail)
  expect((await server.next()).content).toContain('Subject: A code')
  expect(server.conversations()).toBe(1)
})

test('mail waits while the server cannot be reached, over a restart too, and the log says so once', async () => {
  const gone = await mailServer()
  await gone.close()
  const first = await outboxFor(gone.port)
  await first.outbox.send(mail)
  await first.says('mail cannot be sent')
  await first.outbox.close(0)
  expect(first.said.filter(({ msg }) => msg === 'mail cannot be sent')).toHaveLength(1)
  expect(await waitingIn(first.folder)).toHaveLength(1)

  const second = await outboxFor(gone.port, { folder: first.folder })
  await second.says('mail cannot be sent')
  const back = await mailServer({}, { port: gone.port })
  expect((await back.next()).content).toContain('Subject: A code')
  await second.says('mail is sent again')
})

test('a mail that the server puts off is tried again, and holds no other up', async () => {
  let putOff = 3
  const server = await mailServer({
    toRecipient: (address): Says =>
      address === 'ann@example.org' && putOff-- > 0
        ? { code: 451, words: 'Greylisted, come back later' }
        : undefined,
  })
  const { outbox } = await outboxFor(server.port)
  await outbox.send(mail)
  await outbox.send({ ...mail, to: 'bob@example.org' })
  expect((await server.next()).to).toBe('bob@example.org')
  expect((await server.next()).to).toBe('ann@example.org')
})

test('a mail that is refused is kept as failed with its reason in the log, and is not tried again', async () => {
  let asked = 0
  const server = await mailServer({
    toRecipient: (address): Says =>
      address === 'nobody@example.org'
        ? (asked++, { code: 550, words: 'No such user\u2028here' })
        : undefined,
  })
  const { outbox, folder, says } = await outboxFor(server.port)
  await outbox.send({ ...mail, to: 'nobody@example.org' })
  await outbox.send(mail)
  await server.next()
  const { reason } = await says('a mail could not be sent')
  expect(reason).toContain('No such user here')
  const [name = '', ...more] = await failedIn(folder)
  expect(more).toEqual([])
  expect(await readFile(path.join(folder, 'failed', name), 'utf8')).toContain('To: nobody@example.org')
  await outbox.close(1000)
  expect(await waitingIn(folder)).toEqual([])
  expect(asked).toBe(1)
})

test('a mail whose content is refused is failed too; one whose sender is refused waits, for no mail is to blame', async () => {
  let spam = true
  const server = await mailServer({
    toMail: (content): Says => (content.includes('Spam') ? { code: 554, words: 'Spam' } : undefined),
    toSender: (): Says => (spam ? ((spam = false), { code: 553, words: 'Sender not allowed' }) : undefined),
  })
  const { outbox, says, folder } = await outboxFor(server.port)
  await outbox.send(mail)
  expect((await says('mail cannot be sent')).reason).toContain('Sender not allowed')
  await server.next()
  await outbox.send({ ...mail, subject: 'Spam' })
  await says('a mail could not be sent')
  expect(await failedIn(folder)).toHaveLength(1)
})

test('a code that would come too late is not sent any more', async () => {
  let now = Date.UTC(2026, 0, 1)
  const clock = { now: () => now, elapsed: () => performance.now() }
  let away = true
  const server = await mailServer({
    toRecipient: (): Says => (away ? { code: 421, words: 'Closing' } : undefined),
  })
  const { outbox, says } = await outboxFor(server.port, { clock })
  await outbox.send(mail)
  await says('mail cannot be sent')
  now += 61_000
  expect((await says('a mail could not be sent')).reason).toBe('The mail server did not take it in time.')
  away = false
  await outbox.send({ ...mail, subject: 'Another' })
  expect((await server.next()).content).toContain('Subject: Another')
})

test('more mail than may wait is refused before it is promised, and a damaged one does not hold up the others', async () => {
  const gone = await mailServer()
  await gone.close()
  const first = await outboxFor(gone.port, { waitingMax: 2 })
  await first.outbox.ready()
  await first.outbox.send(mail)
  await first.outbox.send({ ...mail, subject: 'The second' })
  await expect(first.outbox.ready()).rejects.toMatchObject({ status: 503, code: 'account.mail-full' })
  await first.outbox.close(0)

  const [damaged = ''] = (await waitingIn(first.folder)).sort()
  await writeFile(path.join(first.folder, 'waiting', damaged), '{"to":')
  const server = await mailServer()
  const second = await outboxFor(server.port, { folder: first.folder })
  expect((await server.next()).content).toContain('Subject: The second')
  await second.says('a waiting mail is damaged and was not sent')
  await second.outbox.close(1000)
  expect(await waitingIn(first.folder)).toEqual([])
})

test('a mail that cannot be read for a moment waits, and is not taken for damaged', async () => {
  const gone = await mailServer()
  await gone.close()
  const first = await outboxFor(gone.port)
  await first.outbox.send(mail)
  await first.outbox.close(0)
  const [name = ''] = await waitingIn(first.folder)
  const file = path.join(first.folder, 'waiting', name)
  // As a disk that does not answer: opening it fails, and later it does not.
  await rename(file, `${file}.away`)
  await mkdir(file)
  const server = await mailServer()
  const second = await outboxFor(server.port, { folder: first.folder })
  await second.says('a mail could not be handled')
  await rmdir(file)
  await rename(`${file}.away`, file)
  expect((await server.next()).content).toContain('Subject: A code')
})

test('a mail that somebody has taken away is none that waits', async () => {
  const gone = await mailServer()
  await gone.close()
  let elapsed = 0
  const clock = { ...systemClock, elapsed: () => elapsed }
  const { outbox, folder, said, says } = await outboxFor(gone.port, { clock })
  await outbox.send(mail)
  await says('mail cannot be sent')
  // Nobody's turn comes before it is gone.
  for (const name of await waitingIn(folder)) await rm(path.join(folder, 'waiting', name))
  elapsed = 1000
  const back = await mailServer({}, { port: gone.port })
  // Its turn is after that of the first one.
  await outbox.send({ ...mail, subject: 'Another' })
  expect((await back.next()).content).toContain('Subject: Another')
  await outbox.close(1000)
  expect(said.map(({ msg }) => msg)).toEqual(['mail cannot be sent', 'mail is sent again'])
})

test('a server that never answers keeps the service from closing no longer than it is given', async () => {
  const silent = createServer((socket) => socket.on('error', () => {}))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void silent.close())
  const { outbox, folder } = await outboxFor((silent.address() as AddressInfo).port)
  const connected = once(silent, 'connection')
  await outbox.send(mail)
  const [socket] = (await connected) as [Socket]
  const left = once(socket, 'close')
  await outbox.close(20)
  await left
  expect(await waitingIn(folder)).toHaveLength(1)
})

test('mail goes by TLS from the start with a user and a password, to a server whose certificate is vouched for', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const came: [string, boolean][] = []
  const server = await mailServer(
    {},
    {
      ...{ secure: true, key, cert, authOptional: false },
      onAuth(auth, { secure }, callback) {
        came.push([auth.username ?? '', secure])
        if (auth.password === 'p@ss word') callback(null, { user: auth.username })
        else callback(Object.assign(new Error('Wrong password'), { responseCode: 535 }))
      },
    },
  )
  const url = `smtps://panel%40example.org@127.0.0.1:${server.port}`
  const stranger = await outboxFor(server.port, { url, password: 'p@ss word' })
  await stranger.outbox.send(mail)
  expect((await stranger.says('mail cannot be sent')).reason).toMatch(/self-signed certificate/i)
  await stranger.outbox.close(0)

  const caFile = path.join(stranger.folder, 'ca.pem')
  await writeFile(caFile, cert)
  const wrong = await outboxFor(server.port, { url, password: 'not it', caFile, folder: stranger.folder })
  expect((await wrong.says('mail cannot be sent')).reason).toMatch(/535/)
  await wrong.outbox.close(0)

  await outboxFor(server.port, { url, password: 'p@ss word', caFile, folder: stranger.folder })
  expect((await server.next()).content).toContain('Subject: A code')
  expect(came.at(-1)).toEqual(['panel@example.org', true])
})
