import type { Channel, Checksum, RemoteFile } from '../../extensions/requests/remote-file.ts'

export type { Channel, Checksum, RemoteFile }
/** `exact`: newer ones don't work (Forge). */
export interface WantedJava {
  major: number
  exact: boolean
}
export interface Version {
  id: string
  channel: Channel
  recommended?: boolean
  releasedAt?: string /* ISO */
}
export interface Build {
  id: string
  channel: Channel
  releasedAt?: string
  changes: string[]
  moreChanges?: number
}
export interface Release {
  version: string
  build: string | null
  java: WantedJava
  file: RemoteFile
  /** `jar`: the file is the server. `installer`: run once in the server's folder, it creates the server there. */
  form: 'jar' | 'installer'
  /** For jars without a checksum: this entry must contain these properties. */
  holds?: { entry: string; properties: Record<string, string> }
}
/** Rejects with Refusal 502/503. */
export interface Catalog {
  versions(signal: AbortSignal): Promise<Version[]>
  builds(version: string, signal: AbortSignal): Promise<Build[]>
  /** build null: the newest stable, else the newest. */
  release(version: string, build: string | null, signal: AbortSignal): Promise<Release>
}
