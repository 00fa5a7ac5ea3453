/*
 * Starts all kinds of programs that tests start, in a run of its own, tells so on stdout and stays: a panel with its
 * built-in service and a game server, a browser, a keyring, a small disk, and one that has left its group and its parent.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chromium } from '@playwright/test'
import { testChromium } from '../../build/scripts/chromium.js'
import { runWithKeyring } from '../../build/scripts/keyring.js'
import { node24 } from '../../build/scripts/project.js'
import { ownRunFolder } from '../../build/scripts/run-folder.js'
import { Panel } from '../faults/panel.ts'
import { SmallDisk } from '../faults/small-disk.ts'
import { Stage } from '../faults/stage.ts'

const stays = 'setInterval(() => {}, 1000)'
const folder = ownRunFolder()
const stage = await Stage.open()

const panel = await Panel.start(stage)
const { id: connectionId } = await panel.call('connections.this-computer', undefined)
const { id: serverId } = (await panel.call('operation.send', {
  operation: 'servers.create',
  connectionId,
  body: { name: 'Left', software: { id: 'demo', version: '1.20.4' }, memoryMb: 512 },
}))!
await panel.call('operation.send', {
  operation: 'servers.power',
  connectionId,
  params: { serverId },
  body: { action: 'start' },
})

const browser = await chromium.launch(testChromium())
await browser.newPage()
const disk = await SmallDisk.mount(stage, 'disk', 1)
void runWithKeyring(node24(), ['-e', stays])
// Its parent ends at once, and its group is its own.
const lost = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stays)}], { detached: true, stdio: 'ignore' }).unref()`
await once(spawn(process.execPath, ['-e', lost], { stdio: 'ignore' }), 'exit')

process.stdout.write(`${JSON.stringify({ folder, disk: disk?.folder ?? null })}\n`)
