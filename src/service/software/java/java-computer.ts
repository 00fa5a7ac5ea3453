/** In Adoptium's terms. */
export interface JavaComputer {
  os: 'linux' | 'alpine-linux' | 'mac' | 'windows'
  architecture: string
}

const ARCHITECTURES: Record<string, string> = { arm64: 'aarch64', ppc64: 'ppc64le', ia32: 'x86' }

/** Linux without glibc counts as musl, such as Alpine. */
export function thisComputer(): JavaComputer {
  const { platform, arch } = process
  const architecture = ARCHITECTURES[arch] ?? arch
  if (platform === 'win32') return { os: 'windows', architecture }
  if (platform === 'darwin') return { os: 'mac', architecture }
  return { os: usesMusl() ? 'alpine-linux' : 'linux', architecture }
}

/** Cached: creating the report takes some ms. */
let musl: boolean | null = null

function usesMusl(): boolean {
  return (musl ??= readMusl())
}

function readMusl(): boolean {
  if (process.platform !== 'linux') return false
  const report = process.report as typeof process.report & { excludeNetwork: boolean }
  const before = report.excludeNetwork
  try {
    // Name lookups would take seconds.
    report.excludeNetwork = true
    const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } }
    return !header?.glibcVersionRuntime
  } finally {
    report.excludeNetwork = before
  }
}

/** Emulated architectures: Rosetta on macOS, and Windows on Arm. */
export const translatedOn = ({ os, architecture }: JavaComputer): JavaComputer[] =>
  architecture === 'aarch64' && (os === 'mac' || os === 'windows') ? [{ os, architecture: 'x64' }] : []

/** `OS_ARCH` values of `release` files. */
const SAME: Record<string, string> = {
  x86_64: 'x64',
  amd64: 'x64',
  arm64: 'aarch64',
  i386: 'x86',
  i586: 'x86',
  i686: 'x86',
}

/** Missing fields count as a match. */
export function runsOn(
  computer: JavaComputer,
  { arch, libc }: { arch: string | null; libc: string | null },
): boolean {
  const { os, architecture } = computer
  const own = arch === null ? architecture : (SAME[arch] ?? arch)
  const runs = [computer, ...translatedOn(computer)].some((one) => one.architecture === own)
  if (!runs) return false
  if (os === 'linux') return libc !== 'musl'
  return os === 'alpine-linux' ? libc !== 'gnu' : true
}
