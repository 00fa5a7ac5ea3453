// The English texts of the first screen, and of whatever may follow it at once.
import './en/account.ts'
import './en/frame.ts'
import './en/problems.ts'
import './en/server.ts'
import './en/transfers.ts'
