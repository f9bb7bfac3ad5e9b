/** What is type-checked: sources and tests. */
export const TSCONFIG: object = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023'],
    types: [],
    module: 'NodeNext',
    moduleDetection: 'force',
    resolveJsonModule: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    skipLibCheck: true,
    declaration: true,
    noEmit: true,
  },
  include: ['src', 'test'],
}

/** What is built: the sources alone. */
export const TSCONFIG_BUILD: object = {
  extends: './tsconfig.json',
  compilerOptions: { noEmit: false, rootDir: 'src', outDir: 'dist' },
  include: ['src'],
}
