// Compiled packages of this repository, and the `openai` package that one of them is built on.

const packages = new URL('../../packages/', import.meta.url)
const built = (folder) => import(new URL(`${folder}/dist/index.js`, packages).href)

export const core = () => built('core')
export const catalogs = () => built('plugins/manifest')
export const react = () => built('seeds/react')
export const modelOpenAi = () => built('plugins/model-openai')
export const openai = () => import(new URL('plugins/model-openai/node_modules/openai/index.mjs', packages).href)
export const reactManifest = new URL('seeds/react/manifest.json', packages)
