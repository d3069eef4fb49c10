#ifndef CZERO_LMDB_H
#define CZERO_LMDB_H

#include <lmdb.h>

#endif
