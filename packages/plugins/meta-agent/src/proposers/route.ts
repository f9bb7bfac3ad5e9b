/** How a manifest came about. */
export type Route = 'rules' | 'model' | 'policy' | 'nearest' | 'fixed' | 'mutate' | 'crossover' | 'fallback'
