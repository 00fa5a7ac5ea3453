import { BroadcastChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import type { createMortal } from '../../../tests/doubles/threads/mortal-thread.ts'
import { WorkerThread } from './worker-thread.ts'

type Mortal = ReturnType<typeof createMortal>

it('a thread that dies of an error refuses what it was asked, says so, and is started again by the next call', async () => {
  const deaths: string[] = []
  const thread = new WorkerThread(
    'none',
    new URL('../../../tests/doubles/threads/mortal-thread.ts', import.meta.url),
    (error) => deaths.push(error.message),
  )
  const one = await thread.open<Mortal>('one')
  const other = await thread.open<Mortal>('other')
  for (let times = 1; times <= 3; times++) {
    await expect(one.die()).rejects.toThrow('nobody catches this')
    expect(deaths).toHaveLength(times)
    expect(await Promise.all([one.hello(), other.hello(), one.hello()])).toEqual([
      'hello from one',
      'hello from other',
      'hello from one',
    ])
  }
  await one.close()
  expect(await other.hello()).toBe('hello from other')
  await other.close()
  await expect(other.hello()).rejects.toThrow('closed')
})

it('what is opened late starts no thread until it is called, and none where it is closed before', async () => {
  const deaths: string[] = []
  const source = new URL('../../../tests/doubles/threads/mortal-thread.ts', import.meta.url)
  const thread = new WorkerThread('none', source, (error) => deaths.push(error.message))
  const started: unknown[] = []
  const told = new BroadcastChannel('worker-thread.stand-in')
  onTestFinished(() => told.close())
  told.onmessage = ({ data }) => void started.push(data)
  const closed = thread.openLate<Mortal>('closed')
  await closed.close()
  await expect(closed.hello()).rejects.toThrow('closed')
  const late = thread.openLate<Mortal>('late')
  expect(await Promise.all([late.hello(), late.hello()])).toEqual(['hello from late', 'hello from late'])
  await expect.poll(() => started).toEqual(['late'])
  await expect(late.die()).rejects.toThrow('nobody catches this')
  expect(await late.hello()).toBe('hello from late')
  await late.close()
  await expect(late.hello()).rejects.toThrow('closed')
})
