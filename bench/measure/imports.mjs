// Time to load packages in a fresh process. { file, name }: a module and the function of it that loads them
import { options, report } from './report.mjs'

const load = (await import(options.file))[options.name]
const before = performance.now()
await load()
report({ ms: performance.now() - before })
