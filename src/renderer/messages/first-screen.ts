// English texts of the first screen and of what may follow it immediately.
import './en/account.ts'
import './en/frame.ts'
import './en/problems.ts'
import './en/server.ts'
import './en/transfers.ts'
