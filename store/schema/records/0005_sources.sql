-- `meta.source` is ours to say. All resources are read anew once more, and say the source that their row has.
UPDATE resources SET needs = -1;
