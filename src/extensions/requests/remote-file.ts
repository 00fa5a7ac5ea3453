export type Channel = 'release' | 'snapshot' | 'experimental'
export interface Checksum {
  algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'
  value: string /* lower-case hex */
}
export interface RemoteFile {
  url: string
  name: string
  /** Redirect targets besides its own host; absent: any https host. */
  hosts?: readonly string[]
  size: number | null
  checksum: Checksum | null
}
