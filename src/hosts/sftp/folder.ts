import type { Stats } from 'ssh2'
import { joined, parentOf } from '../../contract/rules/paths.ts'
import { isMissing, type Session } from './session.ts'
import { hostRefusal } from '../base/adapter.ts'
import { makeFolder, realPath, statOf } from './remote.ts'

/** A server's folder at its host. Paths are in the contract's form; what leads out of the folder is refused. */
export class ServerFolder {
  readonly #begin: string
  readonly #real = new WeakMap<Session, Promise<string>>()

  /** `begin`: absolute, or `.` for where the host begins. */
  constructor(begin: string) {
    this.#begin = begin
  }

  /** As the host is asked for it. Links that lead out aren't followed. */
  async at(session: Session, path: string): Promise<string> {
    const asked = this.named(path)
    const root = await this.#root(session)
    if (root === '/') return asked
    await this.#stayIn(session, root, asked)
    return asked
  }

  /** The item itself, though it may be a link. */
  async itemAt(session: Session, path: string): Promise<string> {
    if (path === '') throw hostRefusal(422, 'request.invalid.path')
    await this.at(session, parentOf(path))
    return this.named(path)
  }

  /** For what is written: a file that a link leads to, else the item itself; and what is there. */
  async targetAt(session: Session, path: string): Promise<{ at: string; former: Stats | null }> {
    const item = await this.itemAt(session, path)
    const former = await statOf(session, item)
    if (!former) return { at: item, former }
    await this.at(session, path)
    return { at: await realPath(session, item), former }
  }

  /** With its parents. Others may be making it too. */
  async make(session: Session, path: string): Promise<void> {
    if (path === '') return
    try {
      await this.#makeOne(session, path)
    } catch (error) {
      if (!isMissing(error)) throw error
      await this.make(session, parentOf(path))
      await this.#makeOne(session, path)
    }
  }

  async #makeOne(session: Session, path: string): Promise<void> {
    const at = await this.itemAt(session, path)
    try {
      await makeFolder(session, at)
    } catch (error) {
      if (isMissing(error) || !(await statOf(session, at))?.isDirectory()) throw error
    }
  }

  /** As the host is asked for it, wherever links lead. */
  named(path: string): string {
    const names = path === '' ? [] : path.split('/')
    if (names.some((name) => name === '' || name === '.' || name === '..' || name.includes('\0')))
      throw hostRefusal(422, 'request.invalid.path')
    if (path === '') return this.#begin
    if (this.#begin === '.') return path
    return this.#begin === '/' ? `/${path}` : joined(this.#begin, path)
  }

  #root(session: Session): Promise<string> {
    let root = this.#real.get(session)
    if (!root) {
      root = realPath(session, this.#begin)
      this.#real.set(session, root)
    }
    return root
  }

  async #stayIn(session: Session, root: string, asked: string): Promise<void> {
    const real = await realPath(session, asked)
    if (real !== root && !real.startsWith(`${root}/`)) throw hostRefusal(403, 'sftp.link-out')
  }
}
