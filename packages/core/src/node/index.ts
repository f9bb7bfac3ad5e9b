export { createFileJournal, type FileJournal, type FileJournalOptions, readJournal } from './file-journal.js'
