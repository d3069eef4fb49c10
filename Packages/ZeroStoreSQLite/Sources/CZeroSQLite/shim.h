#ifndef CZERO_SQLITE_H
#define CZERO_SQLITE_H

#include <sqlite3.h>

#endif
