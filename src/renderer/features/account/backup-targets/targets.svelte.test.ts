import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import { dismiss, notices } from '../../../ui/feedback/notices.svelte.ts'
import Account from '../Account.svelte'
import { box, disk, failing, local, TargetsMain, unread } from './targets.fixture.ts'

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const field = (name: string) => dialog().getByLabelText(name, { exact: true })
const open = () => render(Account, { connection: local, section: 'backups' })

let main: TargetsMain
beforeEach(() => {
  main = new TargetsMain()
})
afterEach(() => {
  for (const notice of notices()) dismiss(notice.id)
})

async function choose(item: string): Promise<void> {
  await button(/^More for/).click()
  await page.getByRole('menuitem', { name: item }).click()
}

describe('the places for backups', () => {
  it('are listed in words, with when they were reached and why they were not', async () => {
    const error = { code: 'backups.target-not-reached', message: 'It could not be reached.' }
    main.targets = [disk, { ...box, error }]
    await open()
    const [first, second] = [page.getByRole('listitem').first(), page.getByRole('listitem').nth(1)]
    await expect
      .element(first)
      .toMatchTextContent(/Second disk\s*Folder or disk · \/mnt\/disk · Reached just now · 500 GB free/)
    await expect.element(second).toMatchTextContent(/SFTP server · u1@box\.example/)
    await expect.element(second.getByRole('note')).toHaveTextContent('It could not be reached.')
  })

  it.each(['unavailable', 'forbidden'] as const)('are not spoken of where they are %s', async (code) => {
    main.answer('view backups.targets', () => unread({ code }))
    await open()
    await expect.element(page.getByText('This service doesn’t offer this.')).toBeVisible()
    expect(button('Add place…').query()).toBeNull()
  })

  it('that could not be read can be asked for again', async () => {
    main.answer('view backups.targets', () => unread({ code: 'service-failed' }))
    await open()
    await expect
      .element(page.getByRole('heading', { name: 'The places for backups couldn’t be loaded' }))
      .toBeVisible()
    await expect.element(button('Try again')).toBeVisible()
  })
})

describe('adding a place', () => {
  it('asks for what its kind needs, and shows the password once, to be copied or saved', async () => {
    await open()
    await button('Add place…').click()
    await inDialog('Add').click()
    await expect.element(field('Folder')).toHaveAttribute('aria-invalid', 'true')
    await dialog().getByRole('radio', { name: 'S3 storage' }).click()
    await expect.element(field('Folder')).not.toBeInTheDocument()
    await field('Name').fill('Box')
    await field('Address').fill('https://s3.example')
    await field('Bucket').fill('worlds')
    await field('Key ID').fill('AKIA')
    await field('Secret key').fill('hunter2')
    await inDialog('Add').click()
    await expect.element(dialog().getByText(main.password)).toBeVisible()
    expect(main.sent('backups.add-target')).toEqual([
      {
        ...{ connectionId: 'local', name: 'Box', secret: 'hunter2' },
        place: { kind: 's3', endpoint: 'https://s3.example', bucket: 'worlds', keyId: 'AKIA' },
      },
    ])
    await inDialog('Save as a file').click()
    await expect.element(dialog().getByText(/^Saved as .*backup-password-Box\.txt/)).toBeVisible()
    expect(main.sent('backups.save-password')).toEqual([
      { name: 'Box', location: 'u1@box.example', password: main.password },
    ])
    await inDialog('I have saved it').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(document.body.textContent).not.toContain(main.password)
  })

  it('sends no secret of one kind to another', async () => {
    await open()
    await button('Add place…').click()
    await field('Name').fill('Box')
    await dialog().getByRole('radio', { name: 'REST server' }).click()
    await field('Password').fill('hunter2')
    await dialog().getByRole('radio', { name: 'SFTP server' }).click()
    await field('Host').fill('box.example')
    await field('Port').fill('23')
    await field('User').fill('u1')
    await inDialog('Add').click()
    await expect
      .poll(() => main.sent('backups.add-target'))
      .toEqual([
        {
          ...{ connectionId: 'local', name: 'Box' },
          place: { kind: 'sftp', host: 'box.example', port: 23, user: 'u1' },
        },
      ])
  })

  it('with the password of backups that are there shows it to nobody', async () => {
    await open()
    await button('Add place…').click()
    await field('Name').fill('Box')
    await field('Folder').fill('/mnt/disk')
    await dialog().getByText('There are backups already').click()
    await field('Their password').fill(main.password)
    await inDialog('Add').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(main.sent('backups.add-target')).toMatchObject([{ password: main.password }])
  })

  it('says at the field what is wrong with it, and elsewhere why there is no place', async () => {
    await open()
    await button('Add place…').click()
    await field('Name').fill('Box')
    await field('Folder').fill('disk')
    const message = 'This is not a whole path.'
    main.answer('backups.add-target', () =>
      failing({ code: 'invalid', message, fields: { 'place.path': [message] } }),
    )
    await inDialog('Add').click()
    await expect.element(dialog().getByText(message)).toBeVisible()
    await expect.element(field('Folder')).toHaveFocus()
    const other = 'They were made with another password.'
    main.answer('backups.add-target', () =>
      failing({ code: 'conflict', message: other, fields: { password: [other] } }),
    )
    await inDialog('Add').click()
    await expect.element(dialog().getByText(other)).toBeVisible()
    await expect.element(field('Their password')).toHaveFocus()
    main.answer('backups.add-target', () => failing({ code: 'conflict', message: 'It is taken.' }))
    await inDialog('Add').click()
    await expect.element(dialog().getByRole('alert')).toBeVisible()
  })
})

describe('a place', () => {
  it('with a key that was made for it says where its line belongs until it is reached', async () => {
    const publicKey = 'ssh-ed25519 AAAAC3Nza wheelhouse'
    main.targets = [{ ...box, publicKey }]
    const drawn = await open()
    await expect.element(page.getByText(publicKey)).toBeVisible()
    await expect.element(page.getByText(/authorized_keys/)).toBeVisible()
    await expect.element(button('Copy the public key')).toBeVisible()
    await drawn.unmount()
    main.targets = [{ ...box, publicKey, hostKey: 'SHA256:abc', reachedAt: new Date().toISOString() }]
    await open()
    await page.getByText('Details').click()
    await expect.element(page.getByText('SHA256:abc')).toBeVisible()
    expect(page.getByText(/authorized_keys/).query()).toBeNull()
  })

  it('is checked, and says what the check found', async () => {
    main.targets = [disk]
    await open()
    await button('Check Second disk').click()
    await expect.poll(() => notices().map(({ text }) => text())).toEqual(['Second disk can be reached.'])
    main.answer('send backups.check-target', () =>
      failing({ code: 'conflict', message: 'Its key is wrong.', serviceCode: 'backups.target-denied' }),
    )
    await button('Check Second disk').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Its key is wrong/)
    expect(button('Trust new host key…').query()).toBeNull()
  })

  it('offers to trust a new host key only once it has changed, asks first, and checks again', async () => {
    main.targets = [{ ...box, error: { code: 'backups.host-key-changed', message: 'Its host key changed.' } }]
    await open()
    await button('Trust new host key…').click()
    expect(main.sent('backups.change-target')).toEqual([])
    await inDialog('Trust').click()
    await expect
      .poll(() => main.sent('backups.change-target'))
      .toEqual([{ connectionId: 'local', targetId: 'b', trustNewHostKey: true }])
    await expect.poll(() => main.sent('send backups.check-target')).toHaveLength(1)
  })

  it('is renamed, given a new key and forgotten, which says that what is there stays', async () => {
    main.targets = [box]
    await open()
    await choose('Rename…')
    await field('Name').fill('Attic')
    await inDialog('Save').click()
    await choose('New key…')
    await dialog().getByLabelText('Sign in with').selectOptions('key')
    await field('Private key').fill('-----BEGIN OPENSSH PRIVATE KEY-----')
    await inDialog('Save').click()
    await expect
      .poll(() => main.sent('backups.change-target'))
      .toEqual([
        { connectionId: 'local', targetId: 'b', name: 'Attic' },
        { connectionId: 'local', targetId: 'b', secret: '-----BEGIN OPENSSH PRIVATE KEY-----' },
      ])
    await choose('Forget…')
    await expect.element(dialog().getByText(/What is there stays there/)).toBeVisible()
    await inDialog('Forget').click()
    await expect
      .poll(() => main.sent('send backups.remove-target'))
      .toEqual([{ connectionId: 'local', params: { targetId: 'b' } }])
    await expect.element(page.getByText('No places yet.')).toBeVisible()
    await expect.element(page.getByRole('list')).toHaveFocus()
  })

  it('has no key where it is a folder', async () => {
    main.targets = [disk]
    await open()
    await button(/^More for/).click()
    await expect.element(page.getByRole('menuitem', { name: 'Forget…' })).toBeVisible()
    expect(page.getByRole('menuitem', { name: 'New key…' }).query()).toBeNull()
  })
})

describe('looking inside a place', () => {
  const of = (id: string, serverId: string, day: number, more = {}) => ({
    ...{ id, serverId, serverName: serverId === 'm' ? 'Meadow' : 'Harbor', isHere: serverId === 'h' },
    ...{ createdAt: `2026-11-${String(day).padStart(2, '0')}T05:00:00Z`, bytes: 30 * 1024 * 1024 },
    ...{ software: { id: 'paper', name: 'Paper', version: '1.21.4' }, ...more },
  })

  it('shows its backups by server, newest first, and which of the servers are not here', async () => {
    main.targets = [disk]
    main.there = [of('1', 'm', 3), of('2', 'h', 20), of('3', 'm', 28), of('4', 'm', 9)]
    await open()
    await button('Look inside Second disk').click()
    const [meadow, harbor] = [dialog().getByRole('region').first(), dialog().getByRole('region').nth(1)]
    await expect
      .element(meadow)
      .toMatchTextContent(/Meadow not on this computer.*Nov 28.*Paper 1\.21\.4 · 30 MB.*Nov 9.*Nov 3/s)
    await expect.element(harbor).toMatchTextContent(/Harbor.*Nov 20/s)
    expect(harbor.element().textContent).not.toContain('not on this computer')
  })

  it('shows the rest of many backups when they are asked for', async () => {
    main.targets = [disk]
    main.there = Array.from({ length: 12 }, (_, at) => of(`b${at}`, 'm', at + 1))
    await open()
    await button('Look inside Second disk').click()
    await expect.poll(() => dialog().getByRole('listitem').elements()).toHaveLength(5)
    await inDialog('Show all 12').click()
    await expect.poll(() => dialog().getByRole('listitem').elements()).toHaveLength(12)
  })

  it('makes a server of one, waits for it and goes there', async () => {
    main.targets = [disk]
    main.there = [of('1', 'm', 3)]
    let finish = () => {}
    const done = new Promise<void>((resolve) => (finish = resolve))
    main.answer('send backups.bring-back-from', async () => {
      await done
      return { ok: true, value: { serverId: 'new' } }
    })
    await open()
    await button('Look inside Second disk').click()
    await dialog()
      .getByRole('button', { name: /^Make a server of it… \(Meadow, Nov 3/ })
      .click()
    await expect.element(field('Name of the new server')).toHaveValue('Meadow')
    await inDialog('Make server').click()
    await expect.element(dialog().getByText(/This can take a while/)).toBeVisible()
    expect(main.sent('send backups.bring-back-from')).toEqual([
      { connectionId: 'local', params: { targetId: 'd' }, body: { backup: '1', name: 'Meadow' } },
    ])
    finish()
    await expect.poll(() => location.hash).toContain('#/c/local/s/new')
    await expect.element(dialog()).not.toBeInTheDocument()
    location.hash = ''
  })

  it('says when the server is there, or why it is not, also where the dialog was closed', async () => {
    main.targets = [disk]
    main.there = [of('1', 'm', 3)]
    let settle = (_: 'made' | 'failed') => {}
    main.answer('send backups.bring-back-from', async () => {
      const how = await new Promise((resolve) => (settle = resolve))
      return how === 'made'
        ? { ok: true, value: { serverId: 'new' } }
        : failing({ code: 'conflict', message: 'It is damaged.', serviceCode: 'backups.damaged' })
    })
    await open()
    const begin = async () => {
      await button('Look inside Second disk').click()
      await dialog()
        .getByRole('button', { name: /^Make a server of it…/ })
        .click()
      await inDialog('Make server').click()
      await dialog().getByText('Close', { exact: true }).click()
      await expect.element(dialog()).not.toBeInTheDocument()
    }
    await begin()
    settle('made')
    await expect.poll(() => notices().map(({ text }) => text())).toEqual(['Meadow is there.'])
    expect(location.hash).not.toContain('/s/new')
    await begin()
    settle('failed')
    await expect.poll(() => notices().map(({ tone }) => tone)).toContain('warning')
  })
})
