// A test draws parts without those that load their texts, so it has all of them.
import './en.ts'
