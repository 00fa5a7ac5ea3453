import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { crashTexts } from '../../../../tests/doubles/java-server.ts'
import { LastLines, titleOf } from './last-lines.ts'

const whyOf = (text: string, exitCode = 1) => {
  const last = new LastLines()
  last.push(text.split('\n'))
  return titleOf(last.whyEnded(exitCode))?.message ?? null
}

it('shows the last error with what follows it, or the last lines', () => {
  const last = new LastLines()
  last.push(['[12:00:00 INFO]: one', '[12:00:01 INFO]: two'])
  expect(last.errors()).toEqual(['one', 'two'])
  last.push([
    '[12:00:02 ERROR]: An old one',
    '[12:00:03 ERROR]: It broke',
    'java.lang.Error: x',
    '\tat a.B.c',
  ])
  last.push(['\tat d.E.f', '\tat g.H.i', '[12:00:04 INFO]: Stopping server'])
  expect(last.errors()).toEqual(['It broke', 'java.lang.Error: x', '\tat a.B.c', '\tat d.E.f'])
})

describe('why a server crashed', () => {
  it.each(readdirSync(crashTexts))('is named for %s', (name) => {
    const said = whyOf(readFileSync(path.join(crashTexts, name), 'utf8'))
    expect(said).toMatch(/^\S[^\n]{10,200}[^.]$/)
    expect(said).not.toMatch(/undefined|NaN| {2}|\{/)
  })

  it('names what is wrong', () => {
    const version = 'has been compiled by a more recent version of the Java Runtime (class file version 65.0)'
    const present = 'this version of the Java Runtime only recognizes class file versions up to 61.0'
    const line = `java.lang.UnsupportedClassVersionError: net/minecraft/bundler/Main ${version}, ${present}`
    expect(whyOf(`Error: LinkageError occurred\n${line}`)).toBe('The server needs Java 21')
  })

  it('is left to whoever reads the lines where nobody knows', () => {
    expect(whyOf('[12:00:00 INFO]: <Ann> java.lang.OutOfMemoryError: Java heap space')).toBe(null)
  })

  it('is asked of one run alone, and of its end where it said very much', () => {
    const last = new LastLines()
    last.push(['java.lang.OutOfMemoryError: Java heap space'])
    expect(titleOf(last.whyEnded(1))?.message).toContain('ran out of memory')
    expect(titleOf(last.whyEnded(1))).toBe(null)
    last.push(['java.lang.OutOfMemoryError: Java heap space'])
    for (let n = 0; n < 100; n++) last.push(Array.from({ length: 100 }, (_, at) => `line ${n} ${at}`))
    expect(titleOf(last.whyEnded(1))).toBe(null)
  })
})
