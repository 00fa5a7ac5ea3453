// A stand-in for the keychain child of a locked keyring with a display: it takes every question and never answers, and
// ends by nothing less than SIGKILL while its parent lives.
process.on('message', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
setInterval(() => {}, 1000)
