/** Servers get 30 s to save their worlds before they are killed. */
const STOP_SECONDS = 90

/** Control characters would inject lines. */
function refuse(words: readonly string[], alsoIf = false): void {
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  if (alsoIf || words.some((word) => /[\u0000-\u001f\u007f\ufffe\uffff]/.test(word) || !word.isWellFormed()))
    throw new Error('The program or its folder has a path that your system cannot start in the background.')
}

/** systemd quoting; `%` starts a specifier. */
const forSystemd = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`

/**
 * A systemd user unit, started by the panel only and restarted on failure. Stop signals go to the main process alone,
 * which stops the game servers cleanly. Throws if a word cannot be written.
 */
export function systemdUnit(program: readonly string[]): string {
  const [file = '', ...args] = program
  // systemd cannot represent these in an executable's name, only in arguments.
  refuse(program, /["'\\]/.test(file))
  return [
    '[Unit]',
    'Description=Wheelhouse: servers of this computer',
    'StartLimitIntervalSec=300',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=exec',
    // The colon disables `$` expansion.
    `ExecStart=${[`:${file}`, ...args].map(forSystemd).join(' ')}`,
    'Restart=on-failure',
    'RestartSec=5',
    // If anything else ends or runs out of memory, the service saves the worlds.
    'KillMode=process',
    'OOMPolicy=continue',
    `TimeoutStopSec=${STOP_SECONDS}`,
    'UMask=0077',
    '',
  ].join('\n')
}

const forXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')

/** A launchd agent, started on request and restarted after crashes. Throws as above. */
export function launchdAgent(label: string, program: readonly string[]): string {
  refuse([label, ...program])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    '  <key>Label</key>',
    `  <string>${forXml(label)}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...program.map((word) => `    <string>${forXml(word)}</string>`),
    '  </array>',
    '  <key>KeepAlive</key>',
    '  <dict>',
    '    <key>Crashed</key>',
    '    <true/>',
    '  </dict>',
    '  <key>ThrottleInterval</key>',
    '  <integer>10</integer>',
    '  <key>ExitTimeOut</key>',
    `  <integer>${STOP_SECONDS}</integer>`,
    '  <key>Umask</key>',
    '  <integer>63</integer>',
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}

/** Windows quoting: backslashes count only before a quote. */
const forWindows = (word: string): string =>
  `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`

/**
 * A Windows task as XML, to be stored as UTF-16. No trigger or time limit; runs on battery and restarts on failure.
 * Throws as above.
 * @param user session owner, as `DOMAIN
 * ame`
 */
export function scheduledTask(user: string, program: readonly string[]): string {
  refuse([user, ...program])
  const [file = '', ...args] = program
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo>',
    '    <Description>Wheelhouse: servers of this computer</Description>',
    '  </RegistrationInfo>',
    '  <Principals>',
    '    <Principal id="Author">',
    `      <UserId>${forXml(user)}</UserId>`,
    '      <LogonType>InteractiveToken</LogonType>',
    '      <RunLevel>LeastPrivilege</RunLevel>',
    '    </Principal>',
    '  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <AllowHardTerminate>true</AllowHardTerminate>',
    '    <Hidden>true</Hidden>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <Priority>5</Priority>',
    '    <RestartOnFailure>',
    '      <Interval>PT1M</Interval>',
    '      <Count>5</Count>',
    '    </RestartOnFailure>',
    '  </Settings>',
    '  <Actions Context="Author">',
    '    <Exec>',
    `      <Command>${forXml(file)}</Command>`,
    `      <Arguments>${forXml(args.map(forWindows).join(' '))}</Arguments>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n')
}
