import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openWindow, testPorts } from '../../../panel/panel.fixture.ts'
import { createPanel } from '../../../panel/panel.ts'
import { atServer, told } from './external-files.fixture.ts'

it('opens what the system could run by no name and no content', async () => {
  const at = await atServer()
  const opens = async (path: string, content: string | Buffer) => {
    at.service.files.set(path, Buffer.from(content))
    const open = at.call('external-editor.open', { ...at.ref, path, readOnly: false })
    return await open.then(
      () => 'opened',
      (thrown) => told(thrown).code,
    )
  }
  const names = [
    ...[
      'a.exe',
      'a.sh',
      'a.bat',
      'a.cmd',
      'a.ps1',
      'a.lnk',
      'a.desktop',
      'a.app',
      'a.jar',
      'a.js',
      'a.vbs',
      'a.url',
    ],
    ...[
      'a.html',
      'a.svg',
      'a.csv',
      'a.command',
      'a',
      '.txt',
      'txt',
      'a.txt.',
      'a.txt ',
      'a.txt.exe',
      'desktop.ini',
    ],
    ...[
      'con.txt',
      'NUL.yml',
      'a.exe:b.txt',
      'a\u202etxt.txt',
      'a\u200b.txt',
      'a|b.txt',
      `${'a'.repeat(210)}.txt`,
    ],
  ]
  for (const name of names) expect([name, await opens(name, 'text')]).toEqual([name, 'invalid'])
  expect(await opens('a\u0000.txt', 'text')).toBe('invalid')
  const contents = [
    ...[
      '#!/bin/sh\n',
      '\ufeff#!/bin/sh\n',
      '[Desktop Entry]\nExec=x',
      '# x\n[Desktop Entry]\n',
      '<!DOCTYPE html>',
    ],
    ...[
      '\n<HTML>',
      '%PDF-1.7',
      '{\\rtf1',
      Buffer.from([0x50, 0x4b, 3, 4, 0]),
      Buffer.from([0xff, 0xfe, 0x41]),
    ],
  ]
  for (const content of contents)
    expect([content, await opens('a.cfg', content)]).toEqual([content, 'invalid'])
  expect(await opens('big.txt', 'x'.repeat(5 * 1024 * 1024 + 1))).toBe('too-large')
  expect(at.opened).toEqual([])
  expect(await at.call('external-editor.list', undefined)).toEqual([])
  expect(await opens('server.properties', 'motd=§a\n')).toBe('opened')
})

it('nothing is opened in a browser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'external-editor-'))
  const panel = await createPanel(testPorts(folder))
  onTestFinished(async () => {
    await panel.close()
    await rm(folder, { recursive: true, force: true })
  })
  const { call } = openWindow(panel)
  const thrown = await call('external-editor.open', {
    connectionId: 'c',
    serverId: 's',
    path: 'a.txt',
    readOnly: false,
  }).catch((error: unknown) => error)
  expect(told(thrown).code).toBe('unavailable')
})
